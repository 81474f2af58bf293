/**
 * Columns that support needs beyond the first ones. `path` has no query. `function` is empty for calls without one, `method`
 * for requests that were not valid HTTP. `duration_ms` runs from the call to its answer, `processing_ms` is the meta.durationMs
 * of the answer; `status` is NULL while a call runs.
 */
export const requestLog = `
ALTER TABLE request ADD COLUMN method TEXT NOT NULL DEFAULT 'POST';
ALTER TABLE request ADD COLUMN path TEXT;
ALTER TABLE request ADD COLUMN error_message TEXT;
ALTER TABLE request ADD COLUMN provider TEXT;
ALTER TABLE request ADD COLUMN processing_ms BIGINT;
ALTER TABLE request ADD COLUMN sha256 TEXT;
ALTER TABLE request ADD COLUMN mime_type TEXT;
UPDATE request SET processing_ms = duration_ms WHERE cached = 1;
CREATE INDEX request_job ON request (job_id);
`;
