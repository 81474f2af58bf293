import { ids, one, run, type Unit } from '../unit.js';

/** Size limit of documents that are rows beside their jobs: a row shares the sync of its job, a file needs two of its own. */
export const MAX_ROW_BYTES = 64 * 1024;

/** Stores a small document. Part of the transaction that writes its job. */
export function* insertSmallDocument(id: string, bytes: Uint8Array): Unit<void> {
  yield* run('INSERT INTO blob (id, bytes) VALUES (:id, :bytes)', { id, bytes });
}

export function* findSmallDocument(id: string): Unit<Uint8Array | undefined> {
  return (yield* one<{ bytes: Uint8Array }>('SELECT bytes FROM blob WHERE id = :id', { id }))?.bytes;
}

/** Removes a small document; false when there is none of this id. */
export function* removeSmallDocument(id: string): Unit<boolean> {
  return (yield* run('DELETE FROM blob WHERE id = :id', { id })) === 1;
}

/** Lists small documents that no unfinished job needs. Each was written with its job, so none waits for one. */
export function* listUnneededSmallDocuments(limit: number): Unit<string[]> {
  return yield* ids(
    `SELECT id FROM blob WHERE NOT EXISTS (SELECT 1 FROM job WHERE document_id = blob.id AND finished_at IS NULL)
     LIMIT :limit`,
    { limit },
  );
}
