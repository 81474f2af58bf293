/** The module of every page. Each import does one thing, and nothing where the page has no use for it. */
import './copy.js';
import './dialogs.js';
import './focus.js';
import './live.js';
import './times.js';
import './titles.js';
