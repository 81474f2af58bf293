import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Copies } from './copies.js';
import { MAX_ROW_BYTES } from './small-documents.js';
import type { BlobFacts, BlobStorage } from './storage.js';
import { UploadFile } from './upload-file.js';

/** An upload: in memory while it is small, else a file with a temporary name until `keep`. */
export interface IncomingBlob {
  /** The first bytes, enough to detect the type. */
  readonly head: Uint8Array;
  append(chunk: Uint8Array): Promise<void>;
  /** Returns the whole upload, before it is kept. */
  read(): Promise<Uint8Array>;
  /** Writes the upload to disk, into `directory` for a process that reads there. Returns the path, valid until the next call. */
  spill(directory?: string): Promise<string>;
  /**
   * Stores the document, which is durable together with the next synced write: the job that needs it. A small one is returned
   * instead: it is part of the transaction of its job.
   */
  keep(blob: BlobFacts): Promise<Uint8Array | undefined>;
  /** Gives up everything that was not kept. Call it in any case, at the end. */
  discard(): Promise<void>;
}

export interface IncomingBlobOptions {
  /** Path of the temporary file. */
  path: string;
  storage: Pick<BlobStorage, 'put'>;
  /** Shared by all uploads under way. */
  memory: { freeBytes: number };
  copies: Copies;
}

const HEAD_BYTES = 1024;
/** Size limit of documents in memory; larger ones go to disk as they arrive. */
const MAX_IN_MEMORY_BYTES = 1024 * 1024 + 4096;
/** Smallest memory that a chunk counts for: a sender may cut a document into single bytes, and each chunk has overhead. */
const MIN_CHUNK_BYTES = 256;

export function createIncomingBlob({ path, storage, memory, copies }: IncomingBlobOptions): IncomingBlob {
  const held = new HeldChunks(memory);
  const file = new UploadFile(path);
  let head: Uint8Array = new Uint8Array();
  let copy: string | undefined;

  const isSmall = () => !file.isOnDisk && held.bytes <= MAX_ROW_BYTES;

  function takeBackCopy(): void {
    if (copy !== undefined) copies.takeBack(copy);
    copy = undefined;
  }

  async function moveToDisk(): Promise<void> {
    if (file.isOnDisk) return;
    await file.create();
    file.appendNow(held.release());
  }

  return {
    get head() {
      return head;
    },
    append: async (chunk) => {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      if (!file.isOnDisk && held.add(chunk)) return;
      await moveToDisk();
      await file.append(chunk);
    },
    read: async () => (file.isOnDisk ? await readFile(file.path) : held.join()),
    spill: async (directory) => {
      takeBackCopy();
      if (directory !== undefined && isSmall()) {
        copy = copies.write(directory, held.join());
        return copy;
      }
      if (directory !== undefined) file.moveTo(join(directory, basename(path)));
      await moveToDisk();
      return file.path;
    },
    keep: async (blob) => {
      takeBackCopy();
      if (isSmall()) return held.join();
      await moveToDisk();
      await storage.put(blob, file);
      return undefined;
    },
    discard: async () => {
      held.release();
      try {
        takeBackCopy();
      } finally {
        await file.remove();
      }
    },
  };
}

/** The chunks of one upload in memory. They count against the memory that all uploads share. */
class HeldChunks {
  readonly #memory: { freeBytes: number };
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(memory: { freeBytes: number }) {
    this.#memory = memory;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Holds a chunk. Returns false when there is no memory for it. */
  add(chunk: Uint8Array): boolean {
    const bytes = Math.max(chunk.length, MIN_CHUNK_BYTES);
    if (this.#bytes + bytes > MAX_IN_MEMORY_BYTES || bytes > this.#memory.freeBytes) return false;
    this.#chunks.push(chunk);
    this.#bytes += bytes;
    this.#memory.freeBytes -= bytes;
    return true;
  }

  join(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  /** Gives the memory back. Returns the chunks. */
  release(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#memory.freeBytes += this.#bytes;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }
}
