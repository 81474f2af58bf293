/** The program of a thread that reads the barcodes of pages. */
import { closeOpened } from '../pages/open-once.js';
import { servePages } from '../pages/serve-pages.js';
import { readPage } from './read-page.js';

servePages({ read: readPage, release: closeOpened });
