import { newIndex } from './new-index.js';

/** Finds the calls that were refused, and counts them by code and function without reading them. */
export const refusedRequests = newIndex(
  'request_refused',
  'request (organisation_id, created_at, error_code, function, status) WHERE status >= 400',
);
