/** The last events of all organisations, for callers that follow them. Numbers are never used again: they are places in a stream. */
export const events = `
CREATE TABLE event (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX event_organisation ON event (organisation_id, number);
CREATE INDEX event_age ON event (created_at);
`;
