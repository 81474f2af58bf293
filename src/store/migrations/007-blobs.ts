/** Small documents that unfinished jobs need; larger ones are in a storage (blobs/). */
export const blobs = `
CREATE TABLE blob (
  id TEXT PRIMARY KEY,
  bytes BYTEA NOT NULL
);
`;
