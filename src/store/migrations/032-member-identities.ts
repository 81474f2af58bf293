/** Accounts of a sign-in provider (OpenID Connect) by which members enter. */
export const memberIdentities = `
CREATE TABLE member_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  member_id TEXT NOT NULL REFERENCES member (id),
  label TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX member_identity_member ON member_identity (member_id);
CREATE INDEX member_identity_organisation ON member_identity (organisation_id);
`;
