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

/** A form of a page, which has fields of its own in place of `args`, all of them before the file. */
export interface UploadForm {
  /** Called with the fields and the file's name before the file is stored. What it throws refuses the body. */
  onFields(fields: URLSearchParams, fileName: string | undefined): Promise<void>;
}

export interface ReceiveOptions {
  maxFileBytes: number;
  /** Bytes a second, measured over each `rateWindowMs`. */
  minRate: number;
  rateWindowMs: number;
  createBlob(): IncomingBlob;
  form?: UploadForm;
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

/** Said of a file without a byte. */
export const EMPTY_FILE = 'The part "file" is empty';

/**
 * Receives the contract's multipart body: exactly one part `file`, at most one `args`, in either order. The file is hashed
 * and written as it arrives. A refused body leaves nothing behind.
 * @throws ServiceError INVALID_ARGS, PAYLOAD_TOO_LARGE, PROVIDER_UNAVAILABLE; SenderLostError
 */
export async function receiveUpload(request: IncomingMessage, options: ReceiveOptions): Promise<Upload> {
  const { form, maxFileBytes } = options;
  // The fields of a form are read in any case: its page shows them again.
  const boundary = checkUploadHeaders(request, form === undefined ? maxFileBytes : Infinity);
  const parser = createParser(request);
  const delimiters = createBoundaryCounter(boundary);
  const found: FoundParts = { count: 0, file: undefined, fields: new URLSearchParams(), fieldBytes: 0 };
  let stopWatching = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      stopWatching = watchSender(request, options, delimiters, reject);
      collectParts(parser, request, options, found, reject);
      parser.on('close', resolve);
      request.pipe(parser);
    });
    const { file, fields } = found;
    if (file === undefined) await form?.onFields(fields, undefined);
    if (file === undefined) throw invalid('The body has no part "file"');
    const { blob, sizeBytes, sha256 } = await file.stored;
    if (sizeBytes === 0) throw invalid(EMPTY_FILE);
    if (delimiters.count !== found.count + 1)
      throw invalid('The body has a part without a name: only "file" and "args" may be sent');
    return { fileName: file.name, sizeBytes, sha256, blob, argsText: fields.get('args') ?? undefined };
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
  fields: URLSearchParams;
  fieldBytes: number;
}

function collectParts(
  parser: busboy.Busboy,
  request: IncomingMessage,
  options: ReceiveOptions,
  found: FoundParts,
  refuse: (error: unknown) => void,
): void {
  parser.on('file', (name, stream, info) => {
    found.count++;
    stream.on('error', () => {});
    if (name !== 'file') return refuse(refusePart(name, 'file'));
    if (found.file !== undefined) return refuse(invalid('The body has two parts "file": send one document a call'));
    const fileName = cleanFileName(info.filename);
    const stored = admitFile(request, options, found.fields, fileName).then(() => storeFile(stream, options));
    stored.catch(refuse);
    found.file = { name: fileName, stored };
  });
  parser.on('field', (name, value, info) => {
    found.count++;
    const fault =
      options.form === undefined ? findArgsFault(name, value, info, found) : findFieldFault(name, value, info, found);
    if (fault !== undefined) return refuse(fault);
    found.fields.append(name, value);
  });
  parser.on('error', (error) => refuse(invalid(`The multipart body is malformed: ${describe(error)}`)));
}

type FieldInfo = Pick<busboy.FieldInfo, 'valueTruncated'>;

function findArgsFault(
  name: string,
  value: unknown,
  { valueTruncated }: FieldInfo,
  { fields }: FoundParts,
): ServiceError | undefined {
  if (name !== 'args') return refusePart(name, 'text');
  if (fields.has('args')) return invalid('The body has two parts "args"');
  if (valueTruncated || typeof value !== 'string')
    return invalid(`The part "args" must be a text of at most ${MAX_ARGS_BYTES / 1024} KiB`);
  return undefined;
}

function findFieldFault(
  name: unknown,
  value: unknown,
  { valueTruncated }: FieldInfo,
  found: FoundParts,
): ServiceError | undefined {
  if (found.file !== undefined) return invalid('The form has a field after its file');
  if (typeof name !== 'string' || typeof value !== 'string') return invalid('The form has a field without a name');
  found.fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (valueTruncated || found.fieldBytes > MAX_ARGS_BYTES)
    return invalid(`The fields of the form have more than ${MAX_ARGS_BYTES / 1024} KiB`);
  return undefined;
}

/** Lets the file of a form in, once its fields are known to be good and before any of it is stored. */
async function admitFile(
  request: IncomingMessage,
  { form, maxFileBytes }: ReceiveOptions,
  fields: URLSearchParams,
  fileName: string | undefined,
): Promise<void> {
  if (form === undefined) return;
  await form.onFields(fields, fileName);
  checkUploadHeaders(request, maxFileBytes);
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
