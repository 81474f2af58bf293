import { newIndex } from './new-index.js';

/** Finds and counts the calls with one key, in the order of a page: without it SQLite would take the index of all calls. */
export const requestKeys = newIndex('request_key', 'request (organisation_id, key_id, created_at, id)');
