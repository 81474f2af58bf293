import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { OcrError } from '../contract/ocr-error.js';

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

/** Contract, section POST /v1/ocr/{function}: the text field `args`, then the part `file`. RFC 7578. */
export function createMultipartBody(file: FileToSend, args: Record<string, unknown>): MultipartBody {
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
      yield head;
      yield* readFile(file);
      yield tail;
    },
  };
}

/** As browsers escape a file name (HTML, section multipart/form-data encoding). */
function escapeName(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

/**
 * Two buffers taken in turn: undici asks for the next chunk when the socket has taken the one before, so memory stays
 * the same whatever the file's size.
 */
async function* readFile(file: FileToSend): AsyncGenerator<Uint8Array> {
  const handle = await open(file.path, 'r');
  try {
    const now = await handle.stat();
    if (now.size !== file.sizeBytes || now.mtimeMs !== file.mtimeMs) throw changed(file);
    const chunkBytes = Math.min(CHUNK_BYTES, file.sizeBytes);
    const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
    let left = file.sizeBytes;
    for (let turn = 0; left > 0; turn++) {
      const buffer = buffers[(turn % 2) as 0 | 1];
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left), null);
      if (bytesRead === 0) throw changed(file);
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function changed(file: FileToSend): OcrError {
  return new OcrError('FILE_CHANGED', `${file.path} changed while it was being sent`, {
    hint: 'Run the command again when it is complete.',
  });
}
