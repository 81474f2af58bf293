import http from 'node:http';
import net from 'node:net';
import { checkAnswer } from './check-answer.js';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests look into
  json: any;
}

export interface Call {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: Uint8Array | string;
}

/** Makes one plain HTTP call on its own connection. Answers of /v1 are checked against the OpenAPI document. */
export function call(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isSized = body !== undefined && headers['transfer-encoding'] === undefined;
    const length = isSized ? { 'content-length': Buffer.byteLength(body) } : {};
    const request = http.request(url, { method, headers: { ...length, ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const answer = { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) };
        try {
          checkAnswer(method, url, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends bytes as they are and returns all that comes back until the connection ends. */
export function sendRaw(url: string, pieces: ReadonlyArray<Uint8Array | string>, { end = true } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let text = '';
    socket.setTimeout(60_000, () => socket.destroy(new Error(`no end after 60 s, so far: ${text}`)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)));
    socket.on('close', () => resolve(text));
    socket.on('end', () => socket.end());
    for (const piece of pieces) socket.write(piece);
    if (end) socket.end();
  });
}

export interface Part {
  name?: string;
  filename?: string;
  type?: string;
  content: Uint8Array | string;
  /** Headers in place of those made from the fields above. */
  rawHeaders?: string;
}

export const BOUNDARY = 'a-boundary-of-the-tests';

export function multipart(parts: readonly Part[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n${headersOf(part)}\r\n\r\n`, part.content, '\r\n']);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
}

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

function headersOf({ name, filename, type, rawHeaders }: Part): string {
  if (rawHeaders !== undefined) return rawHeaders;
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return `Content-Disposition: form-data; name="${name}"${file}${type === undefined ? '' : `\r\nContent-Type: ${type}`}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
