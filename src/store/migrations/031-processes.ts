/** The processes of a service, as each of them says from time to time. */
export const processes = `
CREATE TABLE process (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  workers INTEGER NOT NULL,
  running INTEGER NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL
);
`;
