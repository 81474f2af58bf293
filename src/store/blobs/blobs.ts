import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Store } from '../store.js';
import { COPY_NAME, createCopies } from './copies.js';
import { createIncomingBlob, type IncomingBlob } from './incoming-blob.js';
import type { LargeResults } from './large-results.js';
import { removeFile } from './remove-file.js';
import { findSmallDocument, listUnneededSmallDocuments, removeSmallDocument } from './small-documents.js';
import { type BlobFacts, BlobMissingError, type BlobStorage, OWN_DOCUMENT } from './storage.js';
import { sweepDocuments, sweepResults } from './sweep.js';

/** The documents that unfinished jobs need. */
export interface Blobs {
  /** Parent of the directories that document processes read in, one for each process. */
  readingRoom: string;
  /** Starts an upload. Its bytes stay in memory as long as they fit. */
  receive(temporaryName: string): IncomingBlob;
  /** Puts a stored document into `directory`, where its document process can read it; returns its path. */
  handOver(blob: BlobFacts, directory: string): Promise<string>;
  /** Removes the file that `handOver` made; the stored document stays. */
  takeBack(path: string): Promise<void>;
  /** Removes a document at once, for a caller who wants it to be gone or that was refused. */
  remove(id: string): Promise<void>;
  /** Gives up a document that is no row, whose job has ended. A storage that keeps it for a while removes it in a later sweep. */
  release(id: string): Promise<void>;
  /** Removes what an earlier process left in the data directory. Call it at start, before any upload. Returns how much. */
  removeLeftovers(): Promise<number>;
  /** Removes documents that no job needs, and results without a row. An aborted `signal` stops it. Returns how many. */
  sweep(signal?: AbortSignal): Promise<number>;
}

/** Names that the service gives. */
const OWN_UPLOAD = /^req_[0-9A-HJKMNP-TV-Z]{26}\.part$/;
const OWN_ROOM = /^(?:run|count)-\d+$/;

/** Bound on the memory of all uploads together. */
const MAX_UPLOAD_MEMORY_BYTES = 64 * 1024 * 1024;
/** Age of what nothing refers to. Each is on its way to its row for seconds. */
const UNKNOWN_MS = 24 * 60 * 60 * 1000;
const ROWS_AT_ONCE = 500;

const ERASED = { isSynced: false, isErasure: true };

/**
 * Small documents are rows of the store, handed over as copies. Others are in the first of the storages; those after it have
 * the documents of an earlier configuration. Results are swept here, and written and read by the queue. Uploads and the directories of readers are in the data directory.
 */
export async function createBlobs(
  directory: string,
  store: Store,
  storages: readonly [BlobStorage, ...BlobStorage[]],
  results?: LargeResults,
): Promise<Blobs> {
  const incoming = join(directory, 'incoming');
  const readingRoom = join(directory, 'reading');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await mkdir(readingRoom, { recursive: true, mode: 0o700 });
  const memory = { freeBytes: MAX_UPLOAD_MEMORY_BYTES };
  const copies = createCopies();

  async function sweepRows(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (let found = ROWS_AT_ONCE; found === ROWS_AT_ONCE && signal?.aborted !== true; removed += found) {
      const unneeded = await store.read(listUnneededSmallDocuments(ROWS_AT_ONCE));
      found = unneeded.length;
      for (const id of unneeded) await store.write(() => removeSmallDocument(id), ERASED);
    }
    return removed;
  }

  return {
    readingRoom,
    receive: (temporaryName) =>
      createIncomingBlob({ path: join(incoming, temporaryName), storage: storages[0], memory, copies }),
    handOver: async (blob, room) => {
      const bytes = await store.read(findSmallDocument(blob.id));
      if (bytes !== undefined) return copies.write(room, bytes);
      const path = join(room, blob.id);
      await getFromFirst(storages, blob, path);
      return path;
    },
    takeBack: async (path) => {
      if (COPY_NAME.test(basename(path))) copies.takeBack(path);
      else await removeFile(path);
    },
    remove: async (id) => {
      if (await store.write(() => removeSmallDocument(id), ERASED)) return;
      for (const storage of storages) await storage.remove(id);
    },
    release: async (id) => {
      for (const storage of storages) if (storage.keepEndedMs === 0) await storage.remove(id);
    },
    removeLeftovers: async () => {
      const rooms = (await readdir(readingRoom)).filter((name) => OWN_ROOM.test(name));
      const leftovers = await findOwnFiles(incoming, [OWN_UPLOAD]);
      for (const room of rooms)
        leftovers.push(...(await findOwnFiles(join(readingRoom, room), [OWN_UPLOAD, OWN_DOCUMENT, COPY_NAME])));
      for (const path of leftovers) await removeFile(path);
      for (const room of rooms) await rmdir(join(readingRoom, room)).catch(() => {});
      let removed = leftovers.length + (await sweepRows());
      for (const storage of storages) if (!storage.isShared) removed += await sweepDocuments(store, storage, 0);
      return removed;
    },
    sweep: async (signal) => {
      let removed = await sweepRows(signal);
      for (const storage of storages) removed += await sweepDocuments(store, storage, UNKNOWN_MS, signal);
      if (results !== undefined) removed += await sweepResults(store, results, UNKNOWN_MS, signal);
      return removed;
    },
  };
}

/** Brings a document from the first storage that has it. @throws BlobMissingError when none has it */
async function getFromFirst(storages: readonly BlobStorage[], blob: BlobFacts, path: string): Promise<void> {
  let missing: unknown;
  for (const storage of storages) {
    try {
      return await storage.get(blob, path);
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/** Lists files of an earlier process: uploads and copies that it did not remove. */
async function findOwnFiles(directory: string, patterns: readonly RegExp[]): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => patterns.some((pattern) => pattern.test(name))).map((name) => join(directory, name));
}
