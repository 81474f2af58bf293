const COLUMNS = `
ALTER TABLE job ADD COLUMN engine TEXT;
`;

/**
 * `engine` names what reads documents on the machine that took the job: its results are kept for others only where the same
 * reads it; NULL for jobs of before. PostgreSQL gets the number of a line of the request log that SQLite has by itself, under the
 * same name, and room in a plan for what SQLite's integers hold.
 */
export const sharedStore = {
  sqlite: COLUMNS,
  postgres: `${COLUMNS}
ALTER TABLE request ADD COLUMN rowid BIGINT GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX request_line ON request (rowid);
ALTER TABLE plan ALTER COLUMN page_cap TYPE BIGINT;
`,
};
