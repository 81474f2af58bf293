import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../system/sync-directory.js';

/** A document that is being received: in memory while it is small, under a temporary name until it is kept. */
export interface IncomingBlob {
  /** The first bytes of what was appended: enough to tell its type. */
  readonly head: Uint8Array;
  append(chunk: Uint8Array): Promise<void>;
  /** Puts it on disk, where it can be read; returns its path. */
  spill(): Promise<string>;
  /** Makes it durable under its id. */
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
}

const HEAD_BYTES = 1024;
/** Larger documents go to disk as they come. */
const MAX_IN_MEMORY_BYTES = 1024 * 1024 + 4096;
/** What holding a chunk takes, however short it is: a sender may cut a document into single bytes. */
const LEAST_CHUNK_BYTES = 256;

export function createIncomingBlob({ path, documents, memory }: IncomingBlobOptions): IncomingBlob {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let head: Uint8Array = new Uint8Array();
  let file: FileHandle | undefined;
  let isOnDisk = false;

  function letGo(): void {
    memory.freeBytes += heldBytes;
    held = [];
    heldBytes = 0;
  }

  async function openFile(): Promise<FileHandle> {
    if (file !== undefined) return file;
    file = await open(path, 'wx', 0o600);
    isOnDisk = true;
    const bytes = Buffer.concat(held);
    letGo();
    await write(file, bytes);
    return file;
  }

  async function close(): Promise<void> {
    const opened = file;
    file = undefined;
    await opened?.close();
  }

  return {
    get head() {
      return head;
    },
    append: async (chunk) => {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      const bytes = Math.max(chunk.length, LEAST_CHUNK_BYTES);
      const fits = heldBytes + bytes <= MAX_IN_MEMORY_BYTES && bytes <= memory.freeBytes;
      if (isOnDisk || !fits) return await write(await openFile(), chunk);
      held.push(chunk);
      heldBytes += bytes;
      memory.freeBytes -= bytes;
    },
    spill: async () => {
      await openFile();
      return path;
    },
    keep: async (id) => {
      await (await openFile()).datasync();
      await close();
      await rename(path, join(documents, id));
      // The name is safe only once the directory is.
      await syncDirectory(documents);
    },
    discard: async () => {
      letGo();
      await close().catch(() => {});
      if (isOnDisk) await rm(path, { force: true });
    },
  };
}

async function write(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; )
    offset += (await file.write(bytes, offset, bytes.length - offset)).bytesWritten;
}
