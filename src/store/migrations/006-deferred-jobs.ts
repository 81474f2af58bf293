/** Whether a job's call was answered 202 stands with the job; until now the request log alone knew. */
export const deferredJobs = `
ALTER TABLE job ADD COLUMN deferred INTEGER NOT NULL DEFAULT 0;
UPDATE job SET deferred = 1 WHERE EXISTS (SELECT 1 FROM request WHERE request.id = job.request_id AND request.status = 202);
`;
