import { newIndex } from './new-index.js';

/** Finds and counts the calls with one key. */
export const requestKeys = newIndex('request_key', 'request (organisation_id, key_id, created_at)');
