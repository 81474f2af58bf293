import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type Agent, request as openRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { ROOT } from './ocr-command.js';

/** Boundary of the length that real clients use. */
const BOUNDARY = '----formdata-bench-047513264208';

export interface Answer {
  status: number;
  json: { jobId?: string; status?: string; createdAt?: string; startedAt?: string; error?: { message: string } };
  ms: number;
}

/** Starts a server and returns the line that it prints when it listens. */
export function start(children: ChildProcess[], args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
}

export function send(agent: Agent, url: string, headers: Record<string, string>, body?: Buffer): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const options = { agent, method: body === undefined ? 'GET' : 'POST', headers: { ...headers, ...type } };
    const request = openRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          json: JSON.parse(Buffer.concat(chunks).toString()) as Answer['json'],
          ms: performance.now() - startedAt,
        }),
      );
    });
    request.on('error', reject);
    if (body !== undefined) request.setHeader('content-length', body.length);
    request.end(body);
  });
}

export function multipart(file: Buffer, args?: object): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
  const more =
    args === undefined
      ? ''
      : `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="args"\r\n\r\n${JSON.stringify(args)}`;
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`${more}\r\n--${BOUNDARY}--\r\n`)]);
}

/** A PDF of one empty page, of this size, unlike any other. */
export function composePdf(sizeBytes: number): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'];
  objects.push('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>');
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  const pdf = `%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF\n%`;
  return Buffer.from(pdf + randomBytes(Math.ceil((sizeBytes - pdf.length) / 2)).toString('hex'));
}

/** Opens calls that send their document in small pieces and never come to its end. */
export function openSlowSenders(url: string, key: string, count: number): Socket[] {
  const { hostname, port } = new URL(url);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 10000000\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n--${BOUNDARY}\r\n` +
        'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    );
    const timer = setInterval(() => socket.write('x'.repeat(200)), 100);
    socket.on('close', () => clearInterval(timer));
    return socket;
  });
}

/** Bytes after the end change no document, only its digest: none of them is answered from the cache. */
export function makeUnlike(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from(`\n%${Math.random()}`)]);
}

/** Returns the median and the 95th percentile of times, which it sorts. */
export function summarise(times: number[]): { p50: number; p95: number } {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
