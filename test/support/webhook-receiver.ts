import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { readCertificate } from './certificates.js';

export interface ReceivedDelivery {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The request as a file records it: request line, headers, body. */
  recorded: Buffer;
  atMs: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests look into
  json: any;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedDelivery[];
  /** Ends it and all its connections. */
  close(): Promise<void>;
}

type Respond = (response: ServerResponse, delivery: ReceivedDelivery, index: number) => void;

/** A receiver over https on loopback, for one test; answers 200 unless told otherwise. */
export async function startReceiver(
  respond: Respond = (response) => response.end('ok'),
  certificate: Parameters<typeof readCertificate>[0] = 'server',
): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const server = createServer(readCertificate(certificate), (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const lines = request.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []));
      const head = [`${request.method} ${request.url} HTTP/1.1`, ...lines, '', ''].join('\r\n');
      const delivery = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        recorded: Buffer.concat([Buffer.from(head), body]),
        atMs: Date.now(),
        json: JSON.parse(body.toString('utf8')),
      };
      respond(response, delivery, received.push(delivery) - 1);
    });
    request.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close };
}
