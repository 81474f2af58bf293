import { copyFile, link, mkdir, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { COPY_NAME, createCopies } from './copies.js';
import { createIncomingBlob, type IncomingBlob } from './incoming-blob.js';
import type { Store } from './store.js';

/** Where documents are kept while a job needs them. */
export interface Blobs {
  /** Holds a directory for each document process, which reads there and nowhere else. */
  readingRoom: string;
  /** Nothing is on disk before it has to be. */
  receive(temporaryName: string): IncomingBlob;
  /** Puts a document that was kept into `directory`, for a process that may read there; returns its path. */
  handOver(id: string, directory: string): Promise<string>;
  /** Removes what was handed over, and nothing else. */
  takeBack(path: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes what is left of interrupted uploads, and documents that nobody needs. Returns how many. */
  removeOrphans(needed: ReadonlySet<string>): Promise<number>;
}

/** Only what we named ourselves is ever removed: a person may have pointed us at a directory with files of his own. */
const OWN_DOCUMENT = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/;
const OWN_UPLOAD = /^req_[0-9A-HJKMNP-TV-Z]{26}\.part$/;
const OWN_ROOM = /^(?:run|count)-\d+$/;
/** What file systems say that give a file one name alone, or no more than so many. */
const NO_SECOND_NAME = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

/** What uploads may hold in memory, all together. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** A row that is lost with the power was not needed yet, or no more: what needs it is written after it, and synced. */
const NOT_SYNCED = { isSynced: false };

/**
 * Small documents are rows of the store, handed over as copies. Others are files in `incoming/`, `reading/` and `documents/` of
 * the data directory; all on one file system, so that keeping is a rename and handing over a second name.
 */
export async function createBlobs(directory: string, store: Store): Promise<Blobs> {
  const incoming = join(directory, 'incoming');
  const documents = join(directory, 'documents');
  const readingRoom = join(directory, 'reading');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await mkdir(documents, { recursive: true, mode: 0o700 });
  await mkdir(readingRoom, { recursive: true, mode: 0o700 });
  const memory = { freeBytes: MEMORY_BYTES };
  const copies = createCopies();
  const keepInStore = (id: string, bytes: Uint8Array) =>
    store.write((db) => db.run('INSERT INTO blob (id, bytes) VALUES (?, ?)', id, bytes), NOT_SYNCED);
  const remove = async (id: string) => {
    if (store.read.get('SELECT 1 AS found FROM blob WHERE id = ?', id) === undefined)
      await removeFile(join(documents, id));
    else await store.write((db) => db.run('DELETE FROM blob WHERE id = ?', id), NOT_SYNCED);
  };
  return {
    readingRoom,
    receive: (temporaryName) =>
      createIncomingBlob({ path: join(incoming, temporaryName), documents, memory, copies, keepInStore }),
    handOver: async (id, room) => {
      const row = store.read.get<{ bytes: Uint8Array }>('SELECT bytes FROM blob WHERE id = ?', id);
      if (row !== undefined) return copies.write(room, row.bytes);
      const path = join(room, id);
      try {
        await link(join(documents, id), path);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!NO_SECOND_NAME.has(code)) throw error;
        await copyFile(join(documents, id), path).catch(async (failure: unknown) => {
          await removeFile(path);
          throw failure;
        });
      }
      return path;
    },
    takeBack: async (path) => {
      if (COPY_NAME.test(basename(path))) copies.takeBack(path);
      else await removeFile(path);
    },
    remove,
    removeOrphans: async (needed) => {
      const rooms = (await readdir(readingRoom)).filter((name) => OWN_ROOM.test(name));
      const lost = await findOwn(incoming, [OWN_UPLOAD]);
      for (const room of rooms)
        lost.push(...(await findOwn(join(readingRoom, room), [OWN_UPLOAD, OWN_DOCUMENT, COPY_NAME])));
      const rows = store.read.all<{ id: string }>('SELECT id FROM blob').map(({ id }) => id);
      const files = (await readdir(documents)).filter((id) => OWN_DOCUMENT.test(id));
      const unneeded = [...rows, ...files].filter((id) => !needed.has(id));
      for (const path of lost) await removeFile(path);
      for (const id of unneeded) await remove(id);
      for (const room of rooms) await rmdir(join(readingRoom, room)).catch(() => {});
      return lost.length + unneeded.length;
    },
  };
}

/** What an earlier process received, or handed over, and did not remove any more. */
async function findOwn(directory: string, patterns: readonly RegExp[]): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => patterns.some((pattern) => pattern.test(name))).map((name) => join(directory, name));
}

async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
