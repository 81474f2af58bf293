/** An HTTP request as it was recorded: a file with its headers and its body. */
export interface RecordedRequest {
  /** Under names in lower case; of a repeated header the values joined by commas (RFC 9110, section 5.2). */
  headers: ReadonlyMap<string, string>;
  /** The bytes after the empty line, as they are; undefined where there is no empty line. */
  body: Uint8Array | undefined;
  /** Bytes that the body lacks by its Content-Length. */
  missingBytes: number;
}

const LF = 0x0a;
const CR = 0x0d;

/** Headers end in CRLF or in LF alone, whatever an editor made of them; the body is not touched. */
export function parseRecordedRequest(bytes: Uint8Array): RecordedRequest {
  const headers = new Map<string, string>();
  let at = 0;
  let last: string | undefined;
  let isInside = false;
  while (at < bytes.length) {
    const end = bytes.indexOf(LF, at);
    const line = textOf(bytes, at, end === -1 ? bytes.length : end);
    at = end === -1 ? bytes.length : end + 1;
    if (line === '') {
      if (end === -1) break;
      // Empty lines before the first are of the recording.
      if (!isInside) continue;
      return withBody(headers, bytes.subarray(at));
    }
    isInside = true;
    if (/^[ \t]/.test(line) && last !== undefined) {
      headers.set(last, `${headers.get(last)} ${withoutBlanks(line)}`);
      continue;
    }
    // The request line, and what HTTP/2 has in its place, are no headers.
    const name = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?=:)/.exec(line)?.[0];
    if (name === undefined || line.includes('\r')) continue;
    last = name.toLowerCase();
    const value = withoutBlanks(line.slice(name.length + 1));
    const before = headers.get(last);
    headers.set(last, before === undefined ? value : `${before}, ${value}`);
  }
  return { headers, body: undefined, missingBytes: 0 };
}

function withBody(headers: Map<string, string>, rest: Uint8Array): RecordedRequest {
  if (/(?:^|[\s,])chunked$/i.test(headers.get('transfer-encoding') ?? '')) {
    // Recorders below HTTP keep the chunks, those above it do not.
    return { headers, body: joinChunks(rest) ?? rest, missingBytes: 0 };
  }
  const length = /^\d{1,15}$/.test(headers.get('content-length') ?? '')
    ? Number(headers.get('content-length'))
    : undefined;
  if (length === undefined) return { headers, body: rest, missingBytes: 0 };
  // The rest is not the body's: a newline that an editor added, or the next request of the connection.
  return { headers, body: rest.subarray(0, length), missingBytes: Math.max(0, length - rest.length) };
}

/** The body of RFC 9112, section 7.1; undefined for what is not made of chunks. */
function joinChunks(bytes: Uint8Array): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(LF, at);
    const size = end === -1 ? null : /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(textOf(bytes, at, end));
    if (size === null) return undefined;
    const length = Number.parseInt(size[1] ?? '', 16);
    if (length === 0) return Buffer.concat(chunks);
    const start = end + 1;
    if (start + length > bytes.length) return undefined;
    chunks.push(bytes.subarray(start, start + length));
    at = start + length;
    if (bytes[at] === CR) at++;
    if (bytes[at] !== LF) return undefined;
    at++;
  }
}

/** Without the spaces and tabs at both ends. A pattern for them takes minutes where a value has thousands of tabs. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let [from, to] = [0, text.length];
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return text.slice(from, to);
}

/** Without the CR of a CRLF. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  const stop = end > start && bytes[end - 1] === CR ? end - 1 : end;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, stop - start).toString('latin1');
}
