/** What support asks of a call beyond its first columns. `path` is without its query; `function` is empty where a call names none. */
export const requestLog = `
ALTER TABLE request ADD COLUMN method TEXT NOT NULL DEFAULT 'POST';
ALTER TABLE request ADD COLUMN path TEXT;
ALTER TABLE request ADD COLUMN error_message TEXT;
ALTER TABLE request ADD COLUMN provider TEXT;
ALTER TABLE request ADD COLUMN sha256 TEXT;
ALTER TABLE request ADD COLUMN mime_type TEXT;
CREATE INDEX request_job ON request (job_id);
`;
