import { closeSync, fdatasync, open, renameSync, rmSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { retryInUse } from '../../system/retry-in-use.js';

const openAsync = promisify(open);
const syncAsync = promisify(fdatasync);
const writeAsync = promisify(write);

/**
 * The file of one upload, under a temporary name until it is kept. Short operations that only touch memory are synchronous,
 * because a call to the thread pool takes ten times as long: writing some KiB, closing, renaming. Threads do the syncs, large
 * writes, and creating the file, which waits while the file system syncs other files.
 */
export class UploadFile {
  #path: string;
  #descriptor: number | undefined;
  #isOnDisk = false;
  /** The thread's current operation. The descriptor is closed after it, because the next file may get the same number. */
  #pending: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** The name that the file has or, before its creation, will have. */
  get path(): string {
    return this.#path;
  }

  /** True from the creation of the file until it is kept or removed. */
  get isOnDisk(): boolean {
    return this.#isOnDisk;
  }

  /** Creates the file. */
  async create(): Promise<void> {
    this.#descriptor = await openAsync(this.#path, 'wx', 0o600);
    this.#isOnDisk = true;
  }

  moveTo(path: string): void {
    if (this.#isOnDisk && path !== this.#path) renameSync(this.#path, path);
    this.#path = path;
  }

  /** Appends chunks that are small. */
  appendNow(chunks: Uint8Array[]): void {
    const file = this.#opened();
    for (const chunk of chunks)
      for (let offset = 0; offset < chunk.length; ) offset += writeSync(file, chunk, offset, chunk.length - offset);
  }

  async append(chunk: Uint8Array): Promise<void> {
    this.#pending = writeAll(this.#opened(), chunk);
    await this.#pending;
  }

  /** Syncs the file and gives it its lasting name, which is durable only after a sync of the directory. */
  async keepAs(path: string): Promise<void> {
    this.#pending = syncAsync(this.#opened());
    await this.#pending;
    await this.#close();
    await retryInUse(() => renameSync(this.#path, path));
    this.#isOnDisk = false;
  }

  /** Closes the file, and removes it unless it was kept. */
  async remove(): Promise<void> {
    try {
      await this.#close();
    } finally {
      if (this.#isOnDisk) rmSync(this.#path, { force: true });
      this.#isOnDisk = false;
    }
  }

  #opened(): number {
    if (this.#descriptor === undefined) throw new Error(`${this.#path} is not open`);
    return this.#descriptor;
  }

  async #close(): Promise<void> {
    await this.#pending.catch(() => {});
    const opened = this.#descriptor;
    this.#descriptor = undefined;
    if (opened !== undefined) closeSync(opened);
  }
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; )
    offset += (await writeAsync(file, bytes, offset, bytes.length - offset)).bytesWritten;
}
