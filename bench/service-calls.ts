import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type Agent, request as openRequest } from 'node:http';
import { ROOT } from './ocr-command.js';

/** Boundary of the length that real clients use. */
export const BOUNDARY = '----formdata-bench-047513264208';

export interface Answer {
  status: number;
  json: { jobId?: string; status?: string; createdAt?: string; startedAt?: string; error?: { message: string } };
  ms: number;
}

/** Starts a server and returns the line that it prints when it listens. */
export function start(children: ChildProcess[], args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
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

export function multipart(file: Buffer): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** A PDF of one empty page, of this size, unlike any other. */
export function composePdf(sizeBytes: number): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'];
  objects.push('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>');
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  const pdf = `%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF\n%`;
  return Buffer.from(pdf + randomBytes(Math.ceil((sizeBytes - pdf.length) / 2)).toString('hex'));
}
