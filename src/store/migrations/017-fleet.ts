const SETTINGS = `
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
`;

/**
 * Facts that all processes of one database must agree on, and the calls that each organisation made in its present
 * window. A crash of the database begins new windows, so their rows need no log.
 */
export const fleet = {
  sqlite: SETTINGS,
  postgres: `${SETTINGS}
CREATE UNLOGGED TABLE rate_window (
  organisation_id TEXT PRIMARY KEY,
  calls INTEGER NOT NULL,
  ends_at BIGINT NOT NULL
);
`,
};
