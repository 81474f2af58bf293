/** `deferred` is 1 for jobs whose call was answered 202. Before, only the request log had this fact. */
export const deferredJobs = `
ALTER TABLE job ADD COLUMN deferred INTEGER NOT NULL DEFAULT 0;
UPDATE job SET deferred = 1 WHERE EXISTS (SELECT 1 FROM request WHERE request.id = job.request_id AND request.status = 202);
`;
