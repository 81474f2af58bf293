/** Small documents while a job needs them; larger ones are files (blobs.ts). */
export const blobs = `
CREATE TABLE blob (
  id TEXT PRIMARY KEY,
  bytes BYTEA NOT NULL
);
`;
