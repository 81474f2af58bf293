import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface TestProxy {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Requests that it got: `CONNECT ocr.example:443`, `GET http://ocr.example/v1/ocr/functions`. */
  asked: string[];
  /** `Proxy-Authorization` of each. */
  credentials: Array<string | undefined>;
  /** The answer to every request, instead of passing it on; a tunnel may also be hung up on or left without an answer. */
  refuses: number | 'hangs up' | 'says nothing' | undefined;
  close(): Promise<void>;
}

/** A real HTTP proxy, with CONNECT, that takes every name for the server on this port of loopback. */
export async function startProxy(targetUrl: string): Promise<TestProxy> {
  const { port: targetPort } = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage) => {
    proxy.asked.push(`${method} ${url}`);
    proxy.credentials.push(headers['proxy-authorization']);
  };
  const server = createServer((incoming, response) => {
    note(incoming);
    if (typeof proxy.refuses === 'number') {
      response.writeHead(proxy.refuses).end();
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const options = { host: '127.0.0.1', port: targetPort, path: pathname + search, method, headers };
    const onward = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming: IncomingMessage, client: Socket) => {
    note(incoming);
    if (proxy.refuses === 'says nothing') return;
    if (proxy.refuses === 'hangs up') {
      client.end();
      return;
    }
    if (proxy.refuses !== undefined) {
      client.end(`HTTP/1.1 ${proxy.refuses} Refused\r\nConnection: close\r\n\r\n`);
      return;
    }
    const onward = connect(Number(targetPort), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(onward).pipe(client);
    });
    for (const socket of [client, onward]) socket.on('error', () => [client, onward].map((one) => one.destroy()));
    sockets.add(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: TestProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    credentials: [],
    refuses: undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
