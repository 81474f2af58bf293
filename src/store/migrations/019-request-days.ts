/**
 * PostgreSQL keeps the request log in partitions by the time in the ids, which are dropped and not deleted (postgres/request-days.ts).
 * Only with the order of bytes ids sort by their time in every database, and only a condition of the same order leaves out
 * partitions. Lines of before, and those that no partition is there for, are in `request_other`. Identities are not
 * for partitions before PostgreSQL 17, so a sequence numbers the lines. SQLite keeps one table.
 */
export const requestDays = {
  sqlite: '',
  postgres: `
ALTER TABLE request RENAME TO request_other;
ALTER TABLE request_other ALTER COLUMN rowid DROP IDENTITY;
ALTER TABLE request_other ALTER COLUMN id TYPE TEXT COLLATE "C";
ALTER INDEX request_pkey RENAME TO request_other_pkey;
ALTER INDEX request_age RENAME TO request_other_age;
ALTER INDEX request_organisation RENAME TO request_other_organisation;
ALTER INDEX request_job RENAME TO request_other_job;
DROP INDEX request_line;
CREATE TABLE request (LIKE request_other INCLUDING DEFAULTS) PARTITION BY RANGE (id);
ALTER TABLE request ADD PRIMARY KEY (id);
CREATE SEQUENCE request_line_number AS BIGINT OWNED BY request.rowid;
SELECT setval('request_line_number', max(rowid)) FROM request_other;
ALTER TABLE request ALTER COLUMN rowid SET DEFAULT nextval('request_line_number');
CREATE INDEX request_age ON request (created_at);
CREATE INDEX request_organisation ON request (organisation_id, created_at);
CREATE INDEX request_job ON request (job_id);
CREATE INDEX request_line ON request (rowid);
CREATE INDEX request_file ON request (sha256 text_pattern_ops);
ALTER TABLE request ATTACH PARTITION request_other DEFAULT;
`,
};
