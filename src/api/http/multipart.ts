import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { OcrError } from '../../contract/ocr-error.js';

const CHUNK_BYTES = 1024 * 1024;

/** The document to send, as it was when its SHA-256 was taken. */
export interface FileToSend {
  path: string;
  /** As the service is told; for logging only. */
  name: string;
  sizeBytes: number;
  mtimeMs: number;
}

export interface MultipartBody {
  contentType: string;
  contentLength: number;
  /** A new stream of the same bytes, for each attempt. */
  stream(): AsyncGenerator<Uint8Array>;
}

/**
 * Contract, section POST /v1/ocr/{function}: the text field `args`, then the part `file`. RFC 7578.
 * @param onSend told when the first byte of a stream is asked for
 */
export function createMultipartBody(
  file: FileToSend,
  args: Record<string, unknown>,
  onSend?: () => void,
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
      yield* readBody(head, file, tail);
    },
  };
}

/** As browsers escape a file name (HTML, section multipart/form-data encoding). */
function escapeName(name: string): string {
  // What the encoding of forms asks for (WHATWG), and the other control characters, which servers refuse in a header.
  return name.replace(/[\x00-\x1f\x7f"]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/**
 * Two buffers taken in turn: while the socket takes one, the next is read. Each is full but the last, so that undici
 * waits for the socket to have taken it before it asks for the next; memory stays the same whatever the file's size. A
 * small document goes in one piece, and so in one write; of a large one the head goes first: a server that refuses it by
 * its head has answered before so much is on its way that the connection breaks under it.
 */
async function* readBody(head: Buffer, file: FileToSend, tail: Buffer): AsyncGenerator<Uint8Array> {
  const length = head.length + file.sizeBytes + tail.length;
  const start = length > CHUNK_BYTES ? head.length : 0;
  // Before the file is opened: until its first bytes follow there is time for an answer.
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
      // Thrown where it is awaited; until then it must not count as unhandled.
      filled.catch(() => {});
      return filled;
    };
    let next = read(start);
    for (let at = start; at < length; at += chunkBytes) {
      const chunk = await next;
      if (at + chunkBytes < length) next = read(at + chunkBytes);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

interface BodyParts {
  head: Buffer;
  file: FileToSend;
  /** Of the file, read from where the last read ended. */
  handle: FileHandle;
  tail: Buffer;
}

/** What the body has from `at` on, as much as the buffer holds. @throws OcrError FILE_CHANGED where the file ends before */
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
