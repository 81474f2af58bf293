import { newIndex } from './new-index.js';

/**
 * Finds the ended jobs of an organisation in one state, newest first, and counts those that ended since a time without reading them.
 * Unfinished jobs are not in it: without statistics PostgreSQL would claim jobs by it, in fifteen times the time.
 */
export const endedJobs = newIndex(
  'job_ended',
  'job (organisation_id, status, created_at, finished_at) WHERE finished_at IS NOT NULL',
);
