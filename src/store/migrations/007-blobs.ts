/** Small documents that unfinished jobs need; larger ones are files (blobs.ts). */
export const blobs = `
CREATE TABLE blob (
  id TEXT PRIMARY KEY,
  bytes BYTEA NOT NULL
);
`;
