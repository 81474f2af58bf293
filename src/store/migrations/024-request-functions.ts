import { newIndex } from './new-index.js';

/** Finds the calls of one function, in the order of a page. */
export const requestFunctions = newIndex('request_function', 'request (organisation_id, function, created_at, id)');
