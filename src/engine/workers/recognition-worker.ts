/** The program of a thread that recognises pages. */
import { recognisePage, releaseDocument } from './recognise-page.js';
import { servePages } from './serve-pages.js';

servePages({ read: recognisePage, release: releaseDocument });
