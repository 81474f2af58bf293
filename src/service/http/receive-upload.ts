import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { countOf } from '../../contract/count-of.js';
import { hideSecrets } from '../../contract/secrets.js';
import type { IncomingBlob } from '../../store/blobs/incoming-blob.js';
import { type BoundaryCounter, createBoundaryCounter } from './count-boundaries.js';
import { SenderLostError, ServiceError } from './service-error.js';
import { watchUploadRate } from './watch-upload-rate.js';

const MAX_ARGS_BYTES = 64 * 1024;
/** Bound on the bytes beside the file: arguments, part headers, delimiters. */
const MAX_OVERHEAD_BYTES = MAX_ARGS_BYTES + 64 * 1024;
/** Bound on delimiters, for parts that the parser skips silently. An extra named part is refused by its name. */
const MAX_DELIMITERS = 100;
const MAX_FILE_NAME_LENGTH = 255;

export interface Upload {
  /** The client's file name without control characters; for the log only. */
  fileName: string | undefined;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** The caller keeps or discards it. */
  blob: IncomingBlob;
  /** Undefined when the part was not sent. */
  argsText: string | undefined;
}

export interface ReceiveOptions {
  maxFileBytes: number;
  /** Bytes a second, measured over each `rateWindowMs`. */
  minRate: number;
  rateWindowMs: number;
  createBlob(): IncomingBlob;
}

/** Refuses a call by its headers, before the body is read. @throws ServiceError INVALID_ARGS, PAYLOAD_TOO_LARGE */
export function checkUploadHeaders(request: IncomingMessage, maxFileBytes: number): string {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = request.headers;
  const transfer = request.headers['transfer-encoding'];
  if (length !== undefined && Number(length) > maxFileBytes + MAX_OVERHEAD_BYTES) throw tooLarge(maxFileBytes);
  if (encoding !== undefined && encoding !== 'identity')
    throw invalid(`The body must not be compressed (Content-Encoding: ${encoding.slice(0, 40)})`);
  // Node accepts every value that ends in "chunked", and would pass on bytes that are still encoded.
  if (transfer !== undefined && !/^chunked$/i.test(transfer))
    throw invalid(`The body must not be compressed (Transfer-Encoding: ${transfer.slice(0, 40)})`);
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
    throw invalid('The body must be multipart/form-data with a part "file"');
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(type);
  const value = boundary?.[1] ?? boundary?.[2];
  if (value === undefined)
    throw invalid('The Content-Type has no boundary of 1 to 70 characters: let the HTTP library set it');
  return value;
}

/**
 * Receives the contract's multipart body: exactly one part `file`, at most one `args`, in either order. The file is hashed
 * and written as it arrives. A refused body leaves nothing behind.
 * @throws ServiceError INVALID_ARGS, PAYLOAD_TOO_LARGE, PROVIDER_UNAVAILABLE; SenderLostError
 */
export async function receiveUpload(request: IncomingMessage, options: ReceiveOptions): Promise<Upload> {
  const boundary = checkUploadHeaders(request, options.maxFileBytes);
  const parser = createParser(request);
  const delimiters = createBoundaryCounter(boundary);
  const found: FoundParts = { count: 0, file: undefined, argsText: undefined };
  let stopWatching = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      stopWatching = watchSender(request, options, delimiters, reject);
      collectParts(parser, options, found, reject);
      parser.on('close', resolve);
      request.pipe(parser);
    });
    const { file, argsText } = found;
    if (file === undefined) throw invalid('The body has no part "file"');
    const { blob, sizeBytes, sha256 } = await file.stored;
    if (sizeBytes === 0) throw invalid('The part "file" is empty');
    if (delimiters.count !== found.count + 1)
      throw invalid('The body has a part without a name: only "file" and "args" may be sent');
    return { fileName: file.name, sizeBytes, sha256, blob, argsText };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    // The failure of the file is reported already. Its stored bytes are discarded in any case.
    await found.file?.stored.then(({ blob }) => blob.discard()).catch(() => {});
    throw error;
  } finally {
    stopWatching();
  }
}

/**
 * Refuses a body that is too large or has too many parts, and a sender that is gone or too slow. Returns the function that ends
 * the watch.
 */
function watchSender(
  request: IncomingMessage,
  { maxFileBytes, minRate, rateWindowMs }: ReceiveOptions,
  delimiters: BoundaryCounter,
  refuse: (error: Error) => void,
): () => void {
  let receivedBytes = 0;
  const count = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > maxFileBytes + MAX_OVERHEAD_BYTES) refuse(tooLarge(maxFileBytes));
    delimiters.push(chunk);
    if (delimiters.count > MAX_DELIMITERS) refuse(invalid('The body has more parts than "file" and "args"'));
  };
  const lost = () => {
    if (!request.complete) refuse(new SenderLostError('gone'));
  };
  request.on('data', count);
  request.on('close', lost);
  // This listener stays, because an unhandled error would end the service.
  request.on('error', lost);
  const stopWatchingRate = watchUploadRate(request, minRate, rateWindowMs, () =>
    refuse(new SenderLostError('too-slow')),
  );
  return () => {
    request.off('data', count);
    request.off('close', lost);
    stopWatchingRate();
  };
}

/** The parts of a body that were read so far. */
interface FoundParts {
  count: number;
  file: { name: string | undefined; stored: Promise<StoredFile> } | undefined;
  argsText: string | undefined;
}

function collectParts(
  parser: busboy.Busboy,
  options: ReceiveOptions,
  found: FoundParts,
  refuse: (error: unknown) => void,
): void {
  parser.on('file', (name, stream, info) => {
    found.count++;
    stream.on('error', () => {});
    if (name !== 'file') return refuse(refusePart(name, 'file'));
    if (found.file !== undefined) return refuse(invalid('The body has two parts "file": send one document a call'));
    const stored = storeFile(stream, options);
    stored.catch(refuse);
    found.file = { name: cleanFileName(info.filename), stored };
  });
  parser.on('field', (name, value, info) => {
    found.count++;
    if (name !== 'args') return refuse(refusePart(name, 'text'));
    if (found.argsText !== undefined) return refuse(invalid('The body has two parts "args"'));
    if (info.valueTruncated || typeof value !== 'string')
      return refuse(invalid(`The part "args" must be a text of at most ${MAX_ARGS_BYTES / 1024} KiB`));
    found.argsText = value;
  });
  parser.on('error', (error) => refuse(invalid(`The multipart body is malformed: ${describe(error)}`)));
}

function createParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fieldSize: MAX_ARGS_BYTES + 1, headerPairs: 100 },
    });
  } catch (error) {
    throw invalid(`The Content-Type is malformed: ${describe(error)}`);
  }
}

interface StoredFile {
  blob: IncomingBlob;
  sizeBytes: number;
  sha256: string;
}

async function storeFile(stream: Readable, options: ReceiveOptions): Promise<StoredFile> {
  const blob = options.createBlob();
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > options.maxFileBytes) throw tooLarge(options.maxFileBytes);
      hash.update(chunk);
      await blob.append(chunk);
    }
    return { blob, sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await blob.discard();
    throw error;
  }
}

function refusePart(name: string | undefined, sentAs: 'file' | 'text'): ServiceError {
  if (name === 'file') return invalid('The part "file" must be a file: give it a filename');
  if (name === 'args') return invalid('The part "args" must be a text, not a file');
  const shown = name === undefined ? 'a part without a name' : `the part ${JSON.stringify(name.slice(0, 60))}`;
  return invalid(`The body has ${shown} (${sentAs}): only "file" and "args" may be sent`);
}

function cleanFileName(name: string | undefined): string | undefined {
  return name === undefined
    ? undefined
    : hideSecrets(name.replace(/[\u0000-\u001f\u007f]/g, '')).slice(0, MAX_FILE_NAME_LENGTH);
}

function tooLarge(maxFileBytes: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The file is larger than ${countOf(maxFileBytes, 'byte')}`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_ARGS', message);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
