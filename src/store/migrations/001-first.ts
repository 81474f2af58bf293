/**
 * Plain SQL that PostgreSQL understands too. Ids come from contract/identifiers.ts, times are Unix milliseconds of the
 * service's clock, booleans are 0 and 1.
 */
export const first = `
CREATE TABLE organisation (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT
);

CREATE TABLE document (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  sha256 TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  mime_type TEXT NOT NULL,
  page_count INTEGER NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE job (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  request_id TEXT NOT NULL,
  document_id TEXT NOT NULL REFERENCES document (id),
  function TEXT NOT NULL,
  args TEXT NOT NULL,
  cache_key TEXT NOT NULL,
  status TEXT NOT NULL,
  priority INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  interruptions INTEGER NOT NULL,
  token TEXT,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT,
  pages_done INTEGER,
  page_count INTEGER,
  error_code TEXT,
  error_message TEXT
);
CREATE INDEX job_waiting ON job (priority, created_at, id) WHERE status = 'queued';
CREATE INDEX job_running ON job (lease_until) WHERE status = 'processing';
CREATE INDEX job_document ON job (document_id);
CREATE INDEX job_finished ON job (finished_at);

CREATE TABLE result (
  job_id TEXT PRIMARY KEY REFERENCES job (id),
  body TEXT NOT NULL,
  provider TEXT NOT NULL,
  page_count INTEGER NOT NULL,
  duration_ms BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX result_age ON result (created_at);

CREATE TABLE request (
  id TEXT PRIMARY KEY,
  organisation_id TEXT,
  key_id TEXT,
  key_last_four TEXT,
  function TEXT NOT NULL,
  file_name TEXT,
  size_bytes BIGINT,
  page_count INTEGER,
  job_id TEXT,
  cached INTEGER NOT NULL,
  replay_of TEXT,
  status INTEGER,
  error_code TEXT,
  created_at BIGINT NOT NULL,
  duration_ms BIGINT
);
CREATE INDEX request_age ON request (created_at);
CREATE INDEX request_organisation ON request (organisation_id, created_at);

CREATE TABLE result_cache (
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  cache_key TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES job (id),
  document_page_count INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (organisation_id, cache_key)
);
CREATE INDEX result_cache_age ON result_cache (created_at);
CREATE INDEX result_cache_job ON result_cache (job_id);

CREATE TABLE idempotency (
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  idempotency_key TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  request_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (organisation_id, idempotency_key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
`;
