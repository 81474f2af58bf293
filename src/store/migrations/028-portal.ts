/**
 * The portal: who may enter, by links that work once, and under which session. Tokens are stored as their SHA-256 alone. Rows of
 * `audit` refer to no organisation, because they outlive it.
 */
export const portal = `
CREATE TABLE member (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  created_at BIGINT NOT NULL,
  UNIQUE (organisation_id, name)
);
CREATE TABLE portal_link (
  hash TEXT PRIMARY KEY,
  organisation_id TEXT REFERENCES organisation (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'support', 'operator')),
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  CHECK ((organisation_id IS NULL) = (role IN ('support', 'operator')))
);
CREATE INDEX portal_link_organisation ON portal_link (organisation_id);
CREATE TABLE portal_session (
  hash TEXT PRIMARY KEY,
  organisation_id TEXT REFERENCES organisation (id),
  member_id TEXT REFERENCES member (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'support', 'operator')),
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  CHECK ((organisation_id IS NULL) = (role IN ('support', 'operator')))
);
CREATE INDEX portal_session_organisation ON portal_session (organisation_id);
CREATE INDEX portal_session_member ON portal_session (member_id);
CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  organisation_id TEXT,
  who TEXT NOT NULL,
  role TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_id TEXT,
  detail TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX audit_organisation ON audit (organisation_id, created_at, id);
CREATE INDEX audit_time ON audit (created_at, id);
`;
