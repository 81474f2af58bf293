/** The program of a thread that recognises pages. */

import { servePages } from '../workers/serve-pages.js';
import { recognisePage, releaseDocument } from './recognise-page.js';

servePages({ read: recognisePage, release: releaseDocument });
