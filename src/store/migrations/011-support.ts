/**
 * A support key belongs to no organisation: its `organisation_id` is NULL. Columns `own_…` of an organisation replace limits of
 * its plan: NULL keeps the plan's, -1 is "no limit", 'all' is "every function". No table refers to `api_key`, so it is copied.
 */
export const support = `
CREATE TABLE api_key_copy (
  id TEXT PRIMARY KEY,
  organisation_id TEXT REFERENCES organisation (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  functions TEXT,
  last_used_at BIGINT
);
INSERT INTO api_key_copy (id, organisation_id, name, hash, prefix, last_four, created_at, expires_at, revoked_at, functions,
    last_used_at)
  SELECT id, organisation_id, name, hash, prefix, last_four, created_at, expires_at, revoked_at, functions, last_used_at
  FROM api_key;
DROP TABLE api_key;
ALTER TABLE api_key_copy RENAME TO api_key;
CREATE INDEX api_key_organisation ON api_key (organisation_id, created_at);

ALTER TABLE organisation ADD COLUMN own_functions TEXT;
ALTER TABLE organisation ADD COLUMN own_page_cap BIGINT;
ALTER TABLE organisation ADD COLUMN own_documents_per_period BIGINT;
ALTER TABLE organisation ADD COLUMN own_requests_per_window BIGINT;
ALTER TABLE organisation ADD COLUMN own_webhooks INTEGER;
`;
