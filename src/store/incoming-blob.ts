import { closeSync, fdatasync, open, renameSync, rmSync, write, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from '../system/sync-directory.js';
import type { Copies } from './copies.js';

/** A document that is being received: in memory while it is small, under a temporary name until it is kept. */
export interface IncomingBlob {
  /** The first bytes of what was appended: enough to tell its type. */
  readonly head: Uint8Array;
  append(chunk: Uint8Array): Promise<void>;
  /** Puts it on disk, into `directory` where one is named: for a process that may read there. Returns its path, until the next call. */
  spill(directory?: string): Promise<string>;
  /** From now on it has its id, and is durable once what the store is told next is: the job that needs it. */
  keep(id: string): Promise<void>;
  discard(): Promise<void>;
}

export interface IncomingBlobOptions {
  /** Of the temporary file. */
  path: string;
  /** The directory that it is kept in. */
  documents: string;
  /** Shared by all uploads under way. */
  memory: { freeBytes: number };
  copies: Copies;
  /** Keeps a small document in the store. */
  keepInStore(id: string, bytes: Uint8Array): Promise<unknown>;
}

const HEAD_BYTES = 1024;
/** Up to here a document is kept in the store: its row shares the sync of its job, a file would need two of its own. */
const MAX_IN_STORE_BYTES = 64 * 1024;
/** Larger documents go to disk as they come. */
const MAX_IN_MEMORY_BYTES = 1024 * 1024 + 4096;
/** What holding a chunk takes, however short it is: a sender may cut a document into single bytes. */
const LEAST_CHUNK_BYTES = 256;

const openLater = promisify(open);
const syncFile = promisify(fdatasync);
const writeLater = promisify(write);

/**
 * What only touches memory is done at once, since a thread takes ten times as long to be asked: writing some KiB, closing,
 * renaming. A thread's are the syncs, what is large, and making the file, which waits while the file system syncs others.
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
  /** What a thread does with the file: its descriptor is closed after that alone, since the next file may get the same. */
  let underWay: Promise<unknown> = Promise.resolve();

  const isSmall = () => !isOnDisk && heldBytes <= MAX_IN_STORE_BYTES;

  function takeBackCopy(): void {
    if (copy !== undefined) copies.takeBack(copy);
    copy = undefined;
  }

  function letGo(): void {
    memory.freeBytes += heldBytes;
    held = [];
    heldBytes = 0;
  }

  async function openFile(): Promise<number> {
    if (file !== undefined) return file;
    file = await openLater(at, 'wx', 0o600);
    isOnDisk = true;
    const chunks = held;
    letGo();
    for (const chunk of chunks)
      for (let offset = 0; offset < chunk.length; ) offset += writeSync(file, chunk, offset, chunk.length - offset);
    return file;
  }

  async function close(): Promise<void> {
    await underWay.catch(() => {});
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
      const bytes = Math.max(chunk.length, LEAST_CHUNK_BYTES);
      const fits = heldBytes + bytes <= MAX_IN_MEMORY_BYTES && bytes <= memory.freeBytes;
      if (isOnDisk || !fits) {
        underWay = writeAll(await openFile(), chunk);
        await underWay;
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
        letGo();
        return;
      }
      underWay = syncFile(await openFile());
      await underWay;
      await close();
      renameSync(at, join(documents, id));
      isOnDisk = false;
      // The name is safe only once the directory is.
      await syncDirectory(documents);
    },
    discard: async () => {
      letGo();
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
    offset += (await writeLater(file, bytes, offset, bytes.length - offset)).bytesWritten;
}
