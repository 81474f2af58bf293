import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface StallingProxy {
  baseUrl: string;
  /** How many calls it has passed on, and how many of their answers it keeps to itself. */
  passed: number;
  withheld: number;
  close(): Promise<void>;
}

/**
 * Stands before a server and, of the calls that `withholds` picks, passes the call on but not its answer, or only the
 * first bytes of it: what a client sees whose server took the call and fell silent.
 */
export async function startStallingProxy(
  target: string,
  withholds: (call: IncomingMessage) => 'answer' | 'rest of the answer' | undefined,
): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((call, answer) => {
    const way = withholds(call);
    const onward = ask(`${target}${call.url}`, { method: call.method ?? 'GET', headers: call.headers }, (got) => {
      const chunks: Buffer[] = [];
      got.on('data', (chunk: Buffer) => chunks.push(chunk));
      got.on('end', () => {
        state.passed++;
        const body = Buffer.concat(chunks);
        if (way !== undefined) state.withheld++;
        if (way === 'answer') return;
        answer.writeHead(got.statusCode ?? 502, { ...got.headers, 'content-length': String(body.length) });
        if (way === undefined) answer.end(body);
        else answer.write(body.subarray(0, 10));
      });
    });
    onward.on('error', () => answer.destroy());
    call.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  const state: StallingProxy = {
    baseUrl: '',
    passed: 0,
    withheld: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
