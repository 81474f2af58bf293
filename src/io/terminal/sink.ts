import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';

/** An import would load all that belongs to it, streams of files and promises too: 2 ms for every command. */
const { fstatSync, writeSync } = process.getBuiltinModule('node:fs');

/** Standard output or standard error. */
export interface Sink {
  readonly isTerminal: boolean;
  readonly columns: number;
  /** True once the reader has gone; later writes are dropped. */
  readonly isClosed: boolean;
  /** Looks from time to time for the end of the reader, and calls back once; the reader of a pipe alone can be seen. */
  watchReader(onGone: () => void): void;
  /**
   * Resolves when the system has taken it all. What standard error does not take is dropped: a command ends as it would.
   * @throws OcrError OUTPUT_UNWRITABLE of standard output (a full disk); the reason of `signal` when that is aborted
   * meanwhile, and later writes are dropped
   */
  write(text: string | Uint8Array): Promise<void>;
}

/** The reader of a pipe ended, or the terminal was closed. */
const CLOSED_CODES = new Set(['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Time between two looks for the reader of a pipe. */
const LOOK_INTERVAL_MS = 1_000;

/** Bytes that a terminal gets at once: it takes them before anything else happens, the look for a signal too. */
const TERMINAL_BYTES = 4096;

/**
 * @param fd what the stream writes to
 * @param signal ends the writes that are under way when it is aborted
 */
export function createSink(stream: NodeJS.WriteStream, fd: 1 | 2, signal?: AbortSignal): Sink {
  let isClosed = false;
  let isCut = false;
  // Without a listener a closed pipe would end the process with a stack.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (CLOSED_CODES.has(error.code ?? '')) isClosed = true;
  });
  const put = (text: string | Uint8Array): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      stream.write(text, (error?: NodeJS.ErrnoException | null) => {
        if (!error) return resolve();
        if (CLOSED_CODES.has(error.code ?? '')) {
          isClosed = true;
          return resolve();
        }
        if (fd === 2) return resolve();
        reject(unwritable(error));
      });
    });
  const putSlices = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length && !isClosed && !isCut; at += TERMINAL_BYTES) {
      await put(bytes.subarray(at, at + TERMINAL_BYTES));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      // 0 where a terminal does not tell.
      return stream.columns || 80;
    },
    get isClosed() {
      return isClosed;
    },
    watchReader(onGone) {
      let hasGone: (() => boolean) | undefined;
      // A command that is quicker than the first look loads nothing for it.
      const timer = setInterval(async () => {
        if (!isClosed) {
          hasGone ??= (await import('./reader-probe.js')).createReaderProbe(fd) ?? (() => false);
          if (!hasGone()) return;
        }
        clearInterval(timer);
        isClosed = true;
        onGone();
      }, LOOK_INTERVAL_MS).unref();
    },
    async write(text) {
      if (isClosed || isCut || text.length === 0) return;
      if (isFile(fd)) return writeWhole(fd, text);
      const isLong = text.length > TERMINAL_BYTES;
      const written = isLong && stream.isTTY === true ? putSlices(toBytes(text)) : put(text);
      // A command that was asked to end says why, and nothing would end that.
      if (!isLong || signal === undefined || signal.aborted) return await written;
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          isCut = true;
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        written.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
      });
    },
  };
}

const toBytes = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? Buffer.from(text) : text);

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** On a disk that fills up, a file takes the first part of what is written, and Node's stream drops the rest without a word. */
function writeWhole(fd: 1 | 2, text: string | Uint8Array): void {
  const bytes = toBytes(text);
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
  } catch (error) {
    if (fd === 1) throw unwritable(error);
  }
}

function unwritable(error: unknown): OcrError {
  const reason = reasonOf(error);
  return new OcrError('OUTPUT_UNWRITABLE', `Cannot write to standard output: ${reason}`, { cause: error });
}
