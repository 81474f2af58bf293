/**
 * Plans, subscriptions, limits of keys, and usage. NULL is "no limit" in a plan and "every function" in a list. `usage.period`
 * is `2026-11` (calendar month, UTC) or `trial:<start>`; `job.usage_period` is the period that its document counts in, so that
 * a failed job can be uncounted there.
 */
export const organisations = `
CREATE TABLE plan (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  functions TEXT,
  page_cap INTEGER,
  documents_per_period BIGINT,
  requests_per_window BIGINT NOT NULL,
  webhooks INTEGER NOT NULL
);
INSERT INTO plan (name, position, functions, page_cap, documents_per_period, requests_per_window, webhooks) VALUES
  ('TRIAL', 1, NULL, 20, 50, 20, 0),
  ('STARTER', 2, NULL, 100, 1000, 60, 0),
  ('BUSINESS', 3, NULL, 1000, 20000, 600, 1),
  ('ENTERPRISE', 4, NULL, NULL, NULL, 1000000, 1);

ALTER TABLE organisation ADD COLUMN plan TEXT NOT NULL DEFAULT 'ENTERPRISE';
ALTER TABLE organisation ADD COLUMN subscription TEXT NOT NULL DEFAULT 'active';
ALTER TABLE organisation ADD COLUMN trial_started_at BIGINT;
ALTER TABLE organisation ADD COLUMN trial_ends_at BIGINT;
ALTER TABLE organisation ADD COLUMN is_local INTEGER NOT NULL DEFAULT 0;
UPDATE organisation SET is_local = 1;

ALTER TABLE api_key ADD COLUMN functions TEXT;
ALTER TABLE api_key ADD COLUMN last_used_at BIGINT;
CREATE INDEX api_key_organisation ON api_key (organisation_id, created_at);

CREATE TABLE usage (
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  period TEXT NOT NULL,
  documents BIGINT NOT NULL,
  PRIMARY KEY (organisation_id, period)
);

ALTER TABLE job ADD COLUMN usage_period TEXT;
CREATE INDEX job_organisation ON job (organisation_id, created_at);
`;
