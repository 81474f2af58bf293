/**
 * A value that a crash of the database removes: a table without a log is empty afterwards, and on a standby that takes over
 * (PostgreSQL, CREATE TABLE, "UNLOGGED").
 */
export const crashMark = {
  sqlite: '',
  postgres: `
CREATE UNLOGGED TABLE crash_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value TEXT NOT NULL
);
`,
};
