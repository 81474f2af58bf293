import { copyFile, link, mkdir, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { retryInUse } from '../system/retry-in-use.js';
import { COPY_NAME, createCopies } from './copies.js';
import { createIncomingBlob, type IncomingBlob } from './incoming-blob.js';
import type { Store } from './store.js';
import { exists, ids, one, run } from './unit.js';

/** The documents that unfinished jobs need. */
export interface Blobs {
  /** Parent of the directories that document processes read in, one for each process. */
  readingRoom: string;
  /** Starts an upload. Its bytes stay in memory as long as they fit. */
  receive(temporaryName: string): IncomingBlob;
  /** Puts a stored document into `directory`, where its document process can read it; returns its path. */
  handOver(id: string, directory: string): Promise<string>;
  /** Removes the file that `handOver` made; the stored document stays. */
  takeBack(path: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes the rest of interrupted uploads, and documents outside `needed`. Returns how many. */
  removeOrphans(needed: ReadonlySet<string>): Promise<number>;
}

/** Names that the service gives. Files with other names are never removed: the directory may hold a person's own files. */
const OWN_DOCUMENT = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/;
const OWN_UPLOAD = /^req_[0-9A-HJKMNP-TV-Z]{26}\.part$/;
const OWN_ROOM = /^(?:run|count)-\d+$/;
/** Codes of file systems without hard links, or with a limit on them; EISDIR is what Node makes of Windows' answer. */
const NO_HARD_LINK = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EISDIR']);

/** Bound on the memory of all uploads together. */
const MAX_UPLOAD_MEMORY_BYTES = 64 * 1024 * 1024;

/** A power cut may lose these rows. No job needs them then: the row of the job is written later, and synced. */
const NOT_SYNCED = { isSynced: false };
const ERASED = { isSynced: false, isErasure: true };

/**
 * Small documents are rows of the store, handed over as copies. Others are files in `incoming/`, `reading/` and `documents/` of
 * the data directory. All three are on one file system, so keeping a document is a rename and handing it over a hard link.
 */
export async function createBlobs(directory: string, store: Store): Promise<Blobs> {
  const incoming = join(directory, 'incoming');
  const documents = join(directory, 'documents');
  const readingRoom = join(directory, 'reading');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await mkdir(documents, { recursive: true, mode: 0o700 });
  await mkdir(readingRoom, { recursive: true, mode: 0o700 });
  const memory = { freeBytes: MAX_UPLOAD_MEMORY_BYTES };
  const copies = createCopies();
  const keepInStore = (id: string, bytes: Uint8Array) =>
    store.write(() => run('INSERT INTO blob (id, bytes) VALUES (:id, :bytes)', { id, bytes }), NOT_SYNCED);
  const remove = async (id: string) => {
    if (await store.read(exists('SELECT 1 AS found FROM blob WHERE id = :id', { id })))
      await store.write(() => run('DELETE FROM blob WHERE id = :id', { id }), ERASED);
    else await removeFile(join(documents, id));
  };
  return {
    readingRoom,
    receive: (temporaryName) =>
      createIncomingBlob({ path: join(incoming, temporaryName), documents, memory, copies, keepInStore }),
    handOver: async (id, room) => {
      const row = await store.read(one<{ bytes: Uint8Array }>('SELECT bytes FROM blob WHERE id = :id', { id }));
      if (row !== undefined) return copies.write(room, row.bytes);
      const path = join(room, id);
      try {
        await link(join(documents, id), path);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!NO_HARD_LINK.has(code)) throw error;
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
      const leftovers = await findOwnFiles(incoming, [OWN_UPLOAD]);
      for (const room of rooms)
        leftovers.push(...(await findOwnFiles(join(readingRoom, room), [OWN_UPLOAD, OWN_DOCUMENT, COPY_NAME])));
      const rows = await store.read(ids('SELECT id FROM blob'));
      const files = (await readdir(documents)).filter((id) => OWN_DOCUMENT.test(id));
      const unneeded = [...rows, ...files].filter((id) => !needed.has(id));
      for (const path of leftovers) await removeFile(path);
      for (const id of unneeded) await remove(id);
      for (const room of rooms) await rmdir(join(readingRoom, room)).catch(() => {});
      return leftovers.length + unneeded.length;
    },
  };
}

/** Lists files of an earlier process: uploads and copies that it did not remove. */
async function findOwnFiles(directory: string, patterns: readonly RegExp[]): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => patterns.some((pattern) => pattern.test(name))).map((name) => join(directory, name));
}

async function removeFile(path: string): Promise<void> {
  try {
    await retryInUse(() => unlink(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
