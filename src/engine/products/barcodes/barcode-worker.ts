/** The program of a thread that reads the barcodes of pages. */
import { closeOpened } from '../../workers/open-once.js';
import { servePages } from '../../workers/serve-pages.js';
import { readPage } from './read-page.js';

servePages({ read: readPage, release: closeOpened });
