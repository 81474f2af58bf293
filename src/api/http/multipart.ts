import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { OcrError } from '../../contract/ocr-error.js';

const CHUNK_BYTES = 1024 * 1024;

interface NamedDocument {
  /** The file name in the request; the service only logs it. */
  name: string;
  sizeBytes: number;
}

/** A file to send, with the size and time that it had when its SHA-256 was taken. */
export interface FileToSend extends NamedDocument {
  path: string;
  mtimeMs: number;
  /** The whole of a file that is not to be read again. */
  bytes?: Uint8Array;
}

/** A document to send that is in memory. */
interface BytesToSend extends NamedDocument {
  /** Reads the bytes from the start, for each attempt. */
  read(): AsyncIterable<Uint8Array>;
}

export type DocumentToSend = FileToSend | BytesToSend;

export interface MultipartBody {
  contentType: string;
  contentLength: number;
  /** Opens a new stream of the same bytes, for each attempt. */
  stream(): AsyncGenerator<Uint8Array>;
}

/**
 * Builds the request body of contract, section POST /v1/ocr/{function}: the text field `args`, then the part `file`
 * (RFC 7578).
 * @param onSend called when the first byte of a stream is read
 * @param onSent called when the connection has taken the last one
 */
export function createMultipartBody(
  file: DocumentToSend,
  args: Record<string, unknown>,
  { onSend, onSent }: { onSend?: (() => void) | undefined; onSent?: (() => void) | undefined } = {},
): MultipartBody {
  const boundary = `----ocr-${randomBytes(18).toString('hex')}`;
  const head = Buffer.from(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="args"',
      '',
      JSON.stringify(args),
      `--${boundary}`,
      `Content-Disposition: form-data; name="file"; filename="${escapeName(file.name)}"`,
      'Content-Type: application/octet-stream',
      '',
      '',
    ].join('\r\n'),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + file.sizeBytes + tail.length,
    async *stream() {
      onSend?.();
      if ('read' in file) {
        yield head;
        yield* file.read();
        yield tail;
      } else if (file.bytes === undefined) return yield* readBody(head, file, tail, onSent);
      else yield Buffer.concat([head, file.bytes, tail]);
      onSent?.();
    },
  };
}

/** Escapes a file name like browsers do (HTML, section multipart/form-data encoding). */
function escapeName(name: string): string {
  // The WHATWG encoding escapes line breaks and quotes. Servers refuse the other control characters in a header too.
  return name.replace(/[\x00-\x1f\x7f"]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/**
 * Reads the body into two buffers in turn: while the socket takes one, the next is read. Each but the last is full, so
 * undici waits until the socket has taken it before it asks for the next, and memory does not grow with the file. A small
 * document is one chunk, so one write. A large one sends its head first: a server that refuses it by its head can answer
 * before the rest of the upload breaks the connection.
 */
async function* readBody(
  head: Buffer,
  file: FileToSend,
  tail: Buffer,
  onSent: (() => void) | undefined,
): AsyncGenerator<Uint8Array> {
  const length = head.length + file.sizeBytes + tail.length;
  const start = length > CHUNK_BYTES ? head.length : 0;
  // The head goes out before the file is opened: that leaves time for an answer.
  if (start > 0) yield head;
  const handle = await open(file.path, 'r');
  try {
    const now = await handle.stat();
    if (now.size !== file.sizeBytes || now.mtimeMs !== file.mtimeMs) throw changed(file);
    const chunkBytes = Math.min(CHUNK_BYTES, length);
    const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
    const read = (at: number): Promise<Uint8Array> => {
      const buffer = buffers[(((at - start) / chunkBytes) % 2) as 0 | 1].subarray(0, Math.min(chunkBytes, length - at));
      const filled = fill(buffer, at, { head, file, handle, tail });
      // The error is thrown where the read is awaited; until then it must not count as unhandled.
      filled.catch(() => {});
      return filled;
    };
    let next = read(start);
    for (let at = start; at < length; at += chunkBytes) {
      const chunk = await next;
      if (at + chunkBytes < length) next = read(at + chunkBytes);
      yield chunk;
    }
    // Before the file is closed: the service may have read it all by then, and an interrupt must not come in between.
    onSent?.();
  } finally {
    await handle.close();
  }
}

interface BodyParts {
  head: Buffer;
  file: FileToSend;
  /** The file's handle; each read continues where the last one ended. */
  handle: FileHandle;
  tail: Buffer;
}

/** Fills the buffer with the body from `at` on. @throws OcrError FILE_CHANGED where the file has become shorter */
async function fill(buffer: Buffer, at: number, { head, file, handle, tail }: BodyParts): Promise<Uint8Array> {
  const fileEnd = head.length + file.sizeBytes;
  let filled = at < head.length ? head.copy(buffer, 0, at) : 0;
  for (const end = Math.min(buffer.length, fileEnd - at); filled < end; ) {
    const { bytesRead } = await handle.read(buffer, filled, end - filled, null);
    if (bytesRead === 0) throw changed(file);
    filled += bytesRead;
  }
  if (filled < buffer.length) tail.copy(buffer, filled, at + filled - fileEnd);
  return buffer;
}

function changed(file: FileToSend): OcrError {
  return new OcrError('FILE_CHANGED', `${file.path} changed while it was being sent`, {
    hint: 'Run the command again when it is complete.',
  });
}
