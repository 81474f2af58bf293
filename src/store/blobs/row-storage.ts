import { open } from 'node:fs/promises';
import type { Store } from '../store.js';
import { ids, one, run } from '../unit.js';
import { BlobMissingError, type BlobStorage } from './storage.js';
import { writeDocument } from './write-document.js';

/** Bytes of one row, which client and server hold in memory several times. */
const PART_BYTES = 1024 * 1024;
const IDS_AT_ONCE = 500;

/** The synced write of the job brings these to the disk too: a journal is written in its order. */
const NOT_SYNCED = { isSynced: false };
const ERASED = { isSynced: false, isErasure: true };

/** Documents as rows of a MiB, for machines that share a database and no file system. */
export function createRowStorage(store: Store): BlobStorage {
  const remove = async (id: string) => {
    await store.write(() => run('DELETE FROM blob_part WHERE id = :id', { id }), ERASED);
  };
  return {
    isShared: true,
    keepEndedMs: 0,
    put: async ({ id, sizeBytes }, upload) => {
      const file = await open(upload.path);
      try {
        const buffer = Buffer.alloc(Math.min(sizeBytes, PART_BYTES));
        for (let number = 0; number * PART_BYTES < sizeBytes; number++) {
          const bytes = buffer.subarray(0, Math.min(PART_BYTES, sizeBytes - number * PART_BYTES));
          const { bytesRead } = await file.read(bytes, 0, bytes.length, number * PART_BYTES);
          if (bytesRead !== bytes.length) throw new Error(`${upload.path} is shorter than ${sizeBytes} bytes`);
          await store.write(
            () =>
              run(
                `INSERT INTO blob_part (id, number, bytes) VALUES (:id, :number, :bytes)
                 ON CONFLICT (id, number) DO UPDATE SET bytes = excluded.bytes`,
                { id, number, bytes },
              ),
            NOT_SYNCED,
          );
        }
      } catch (error) {
        // A later sweep removes the rows that stay.
        await remove(id).catch(() => {});
        throw error;
      } finally {
        await file.close();
      }
    },
    get: (blob, path) => writeDocument(blob, path, readParts(store, blob)),
    remove,
    list: async function* () {
      for (let after = '', page: string[] = []; ; ) {
        page = await store.read(
          ids('SELECT DISTINCT id FROM blob_part WHERE id > :after ORDER BY id LIMIT :limit', {
            after,
            limit: IDS_AT_ONCE,
          }),
        );
        if (page.length > 0) yield page;
        if (page.length < IDS_AT_ONCE) return;
        after = page.at(-1) ?? after;
      }
    },
  };
}

async function* readParts(
  store: Store,
  { id, sizeBytes }: { id: string; sizeBytes: number },
): AsyncIterable<Uint8Array> {
  for (let number = 0; number * PART_BYTES < sizeBytes; number++) {
    const sql = 'SELECT bytes FROM blob_part WHERE id = :id AND number = :number';
    const row = await store.read(one<{ bytes: Uint8Array }>(sql, { id, number }));
    if (row === undefined) throw new BlobMissingError(`Part ${number} of the document ${id} is not in the database`);
    yield row.bytes;
  }
}
