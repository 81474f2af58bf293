import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCli } from '../support/run-cli.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

const MIB = 1024 * 1024;
const ANSWER = JSON.stringify({ requestId: 'req_1', function: 'TEXT_EXTRACTION', result: { text: 'ok' }, meta: {} });

let home: TemporaryHome;
let sockets: Set<Socket>;
let bytesOf: number[];
/** Cuts the connection of that many uploads after 8 MiB. */
let cuts: number;
let atTheEnd: () => void;
let env: Record<string, string>;
let close: () => Promise<void>;

/** A server that keeps nothing of what it is sent. */
beforeEach(async () => {
  home = createHome();
  [sockets, bytesOf, cuts, atTheEnd] = [new Set(), [], 0, () => {}];
  const server = createServer((socket) => {
    sockets.add(socket);
    const index = bytesOf.push(0) - 1;
    let [head, expected, isDone] = ['', 0, false];
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (expected === 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        expected = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
        bytesOf[index] = head.length - end - 4;
      } else bytesOf[index] = (bytesOf[index] ?? 0) + chunk.length;
      const received = bytesOf[index] ?? 0;
      if (index < cuts && received > 8 * MIB) socket.destroy();
      else if (received >= expected && !isDone) {
        isDone = true;
        atTheEnd();
        socket.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${ANSWER.length}\r\n\r\n${ANSWER}`,
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  env = { OCR_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, OCR_API_KEY: 'k' };
  close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
});
afterEach(async () => {
  await close();
  home.remove();
});

/** Sparse: it takes no room on the disk. */
function makeDocument(sizeBytes: number): string {
  const path = join(home.dir, `${sizeBytes}.pdf`);
  const file = openSync(path, 'w');
  writeSync(file, '%PDF-1.7\n');
  ftruncateSync(file, sizeBytes);
  closeSync(file);
  return path;
}

async function send(path: string): Promise<{ exitCode: number | undefined; peakBytes: number }> {
  const child = startCli(['extract', path], { home, env });
  let peakBytes = 0;
  atTheEnd = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peakBytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  };
  const { exitCode } = await child;
  return { exitCode, peakBytes };
}

test.skipIf(process.platform !== 'linux')('600 MiB → bounded memory (Linux tells the peak)', async () => {
  const small = await send(makeDocument(20 * MIB));
  const large = await send(makeDocument(600 * MIB));
  expect([small.exitCode, large.exitCode]).toEqual([0, 0]);
  expect(large.peakBytes).toBeLessThan(150 * MIB);
  expect(large.peakBytes).toBeLessThan(1.5 * small.peakBytes + 20 * MIB);
});

test('an upload that breaks off → sent again from its first byte', async () => {
  cuts = 2;
  const child = startCli(['extract', makeDocument(30 * MIB)], { home, env });
  const { exitCode, stdout } = await child;
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'ok\n' });
  expect(bytesOf).toHaveLength(3);
  expect(bytesOf[2]).toBeGreaterThan(30 * MIB);
});
