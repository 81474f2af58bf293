import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DocumentToSend } from '../api/http/multipart.js';
import { InputError } from './errors.js';
import type { DocumentSource } from './types.js';

const DEFAULT_NAME = 'document';

export interface OpenDocument {
  document: DocumentToSend;
  /** Removes the temporary file of a stream. */
  dispose(): Promise<void>;
}

/** Makes a document that can be sent several times, for retries. @throws OcrError of the contract; InputError */
export async function openDocument(
  source: DocumentSource,
  name: string | undefined,
  signal: AbortSignal,
): Promise<OpenDocument> {
  if (typeof source === 'string' || source instanceof URL) return await openPath(source, name);
  if (source instanceof ArrayBuffer) return openBytes(new Uint8Array(source), name);
  if (source instanceof Uint8Array) return openBytes(source, name);
  if (source instanceof Blob) return openBlob(source, name);
  if (isStream(source)) return await openStream(source, name, signal);
  throw new InputError('USAGE', 'A document is the path of a file, a Buffer, a Blob or a stream');
}

async function openPath(source: string | URL, name: string | undefined): Promise<OpenDocument> {
  if (source instanceof URL && source.protocol !== 'file:')
    throw new InputError('USAGE', `Only file: URLs are read, not ${source.protocol}`);
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const { checkInput } = await import('../io/input/input-file.js');
  const found = await checkInput(path);
  if (!found.isFile()) throw new InputError('FILE_UNREADABLE', `${path} is a pipe: give a stream of it`);
  const { size: sizeBytes, mtimeMs } = found;
  return { document: { path, name: name ?? basename(path), sizeBytes, mtimeMs }, dispose: async () => {} };
}

function openBytes(bytes: Uint8Array, name = DEFAULT_NAME): OpenDocument {
  const read = async function* () {
    yield bytes;
  };
  return inMemory({ name, sizeBytes: bytes.byteLength, read });
}

function openBlob(blob: Blob, name = 'name' in blob ? String(blob.name) : DEFAULT_NAME): OpenDocument {
  return inMemory({ name, sizeBytes: blob.size, read: () => blob.stream() as unknown as AsyncIterable<Uint8Array> });
}

function inMemory(document: DocumentToSend): OpenDocument {
  if (document.sizeBytes === 0) throw new InputError('FILE_EMPTY', 'The document is empty');
  return { document, dispose: async () => {} };
}

/** A stream goes to a temporary file: its length must be known, and a retry sends it again. */
async function openStream(
  stream: AsyncIterable<Uint8Array | string>,
  name = DEFAULT_NAME,
  signal: AbortSignal,
): Promise<OpenDocument> {
  const { storeStream } = await import('../io/input/piped-input.js');
  const readable = stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false });
  const file = await storeStream(readable, { source: 'the stream', name, signal });
  return { document: file, dispose: file.dispose };
}

function isStream(value: unknown): value is AsyncIterable<Uint8Array | string> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
