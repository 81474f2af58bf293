/**
 * What support asks of a call beyond its first columns. `path` is without its query; `function` is empty where a call names
 * none, `method` where HTTP could not be parsed. `duration_ms` runs from the call to its answer, `processing_ms` is what its
 * answer says in meta.durationMs; `status` is NULL while a call runs.
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
