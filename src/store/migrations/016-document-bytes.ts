const TABLES = `
CREATE TABLE blob_part (
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (id, number)
);
ALTER TABLE result ADD COLUMN blob_id TEXT;
CREATE INDEX result_blob ON result (blob_id) WHERE blob_id IS NOT NULL;
CREATE TABLE store_identity (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL
);
`;

/**
 * Documents in pieces of a MiB, results that are not in their row (`result.blob_id`), and a name for this store. PostgreSQL does
 * not try to compress documents, which are compressed already.
 */
export const documentBytes = {
  sqlite: TABLES,
  postgres: `${TABLES}
ALTER TABLE blob_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
`,
};
