import { closeSync, fdatasync, open, renameSync, rmSync, write, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from '../system/sync-directory.js';
import type { Copies } from './copies.js';

/** An upload: in memory while it is small, else a file with a temporary name until `keep`. */
export interface IncomingBlob {
  /** The first bytes, enough to detect the type. */
  readonly head: Uint8Array;
  append(chunk: Uint8Array): Promise<void>;
  /** Writes the upload to disk, into `directory` for a process that reads there. Returns the path, valid until the next call. */
  spill(directory?: string): Promise<string>;
  /** Stores the document under its id. It is durable together with the next synced write: the job that needs it. */
  keep(id: string): Promise<void>;
  discard(): Promise<void>;
}

export interface IncomingBlobOptions {
  /** Path of the temporary file. */
  path: string;
  /** Directory of stored documents. */
  documents: string;
  /** Shared by all uploads under way. */
  memory: { freeBytes: number };
  copies: Copies;
  /** Keeps a small document in the store. */
  keepInStore(id: string, bytes: Uint8Array): Promise<unknown>;
}

const HEAD_BYTES = 1024;
/** Size limit of documents in the store: a row shares the sync of its job, a file needs two syncs of its own. */
const MAX_IN_STORE_BYTES = 64 * 1024;
/** Size limit of documents in memory; larger ones go to disk as they arrive. */
const MAX_IN_MEMORY_BYTES = 1024 * 1024 + 4096;
/** Smallest memory that a chunk counts for: a sender may cut a document into single bytes, and each chunk has overhead. */
const MIN_CHUNK_BYTES = 256;

const openAsync = promisify(open);
const syncAsync = promisify(fdatasync);
const writeAsync = promisify(write);

/**
 * Short operations that only touch memory are synchronous, because a call to the thread pool takes ten times as long: writing
 * some KiB, closing, renaming. Threads do the syncs, large writes, and creating the file, which waits while the file system
 * syncs other files.
 */
export function createIncomingBlob({
  path,
  documents,
  memory,
  copies,
  keepInStore,
}: IncomingBlobOptions): IncomingBlob {
  let at = path;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let head: Uint8Array = new Uint8Array();
  let file: number | undefined;
  let isOnDisk = false;
  let copy: string | undefined;
  /** The thread's current operation. The descriptor is closed after it, because the next file may get the same number. */
  let pending: Promise<unknown> = Promise.resolve();

  const isSmall = () => !isOnDisk && heldBytes <= MAX_IN_STORE_BYTES;

  function takeBackCopy(): void {
    if (copy !== undefined) copies.takeBack(copy);
    copy = undefined;
  }

  function freeMemory(): void {
    memory.freeBytes += heldBytes;
    held = [];
    heldBytes = 0;
  }

  async function openFile(): Promise<number> {
    if (file !== undefined) return file;
    file = await openAsync(at, 'wx', 0o600);
    isOnDisk = true;
    const chunks = held;
    freeMemory();
    for (const chunk of chunks)
      for (let offset = 0; offset < chunk.length; ) offset += writeSync(file, chunk, offset, chunk.length - offset);
    return file;
  }

  async function close(): Promise<void> {
    await pending.catch(() => {});
    const opened = file;
    file = undefined;
    if (opened !== undefined) closeSync(opened);
  }

  return {
    get head() {
      return head;
    },
    append: async (chunk) => {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      const bytes = Math.max(chunk.length, MIN_CHUNK_BYTES);
      const fits = heldBytes + bytes <= MAX_IN_MEMORY_BYTES && bytes <= memory.freeBytes;
      if (isOnDisk || !fits) {
        pending = writeAll(await openFile(), chunk);
        await pending;
        return;
      }
      held.push(chunk);
      heldBytes += bytes;
      memory.freeBytes -= bytes;
    },
    spill: async (directory) => {
      takeBackCopy();
      if (directory !== undefined && isSmall()) {
        copy = copies.write(directory, Buffer.concat(held));
        return copy;
      }
      const wanted = directory === undefined ? at : join(directory, basename(path));
      if (isOnDisk && at !== wanted) renameSync(at, wanted);
      at = wanted;
      await openFile();
      return at;
    },
    keep: async (id) => {
      takeBackCopy();
      if (isSmall()) {
        await keepInStore(id, Buffer.concat(held));
        freeMemory();
        return;
      }
      pending = syncAsync(await openFile());
      await pending;
      await close();
      renameSync(at, join(documents, id));
      isOnDisk = false;
      // The new name is durable only after a sync of the directory.
      await syncDirectory(documents);
    },
    discard: async () => {
      freeMemory();
      try {
        takeBackCopy();
        await close();
      } finally {
        if (isOnDisk) rmSync(at, { force: true });
        isOnDisk = false;
      }
    },
  };
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; )
    offset += (await writeAsync(file, bytes, offset, bytes.length - offset)).bytesWritten;
}
