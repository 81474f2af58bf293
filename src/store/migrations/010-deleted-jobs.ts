/** `deleted_at` is the time when a caller or an operator deleted a finished job: its result and document are gone since then. */
export const deletedJobs = `
ALTER TABLE job ADD COLUMN deleted_at BIGINT;
`;
