import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CA_FILE, readCertificate } from '../support/certificates.js';
import { type ContractServer, startContractServer } from '../support/contract-server.js';
import { startProxy, type TestProxy } from '../support/proxy.js';
import { runCli } from '../support/run-cli.js';
import { runInProcess, startInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let closing: Array<() => Promise<void>>;
beforeEach(() => {
  home = createHome();
  writeFileSync(join(home.dir, 'a.pdf'), '%PDF-1.7 text');
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  home.remove();
});

async function startTls(name: Parameters<typeof readCertificate>[0] = 'server'): Promise<ContractServer> {
  const server = await startContractServer({ tls: readCertificate(name), textOf: () => 'came through' });
  closing.push(server.close);
  return server;
}
async function startPlain(): Promise<ContractServer> {
  const server = await startContractServer({ textOf: () => 'came through' });
  closing.push(server.close);
  return server;
}
async function proxyTo(server: ContractServer): Promise<TestProxy> {
  const proxy = await startProxy(server.baseUrl);
  closing.push(proxy.close);
  return proxy;
}
const run = (args: string[], env: Record<string, string>) => runInProcess(args, { home, env });
/** Runs it in a process: Node reads NODE_EXTRA_CA_CERTS when it starts. */
const runTrusting = (args: string[], env: Record<string, string>) =>
  runCli(args, { home, env: { ...env, NODE_EXTRA_CA_CERTS: CA_FILE } });

describe('plain http', () => {
  const NOTE = 'The key and the documents go to ocr.example unencrypted: its address begins with http://\n';

  test('to another host → noted once, and not with --quiet or --json', async () => {
    const server = await startPlain();
    const proxy = await proxyTo(server);
    const env = { ...server.env, OCR_BASE_URL: 'http://ocr.example', http_proxy: proxy.url };
    writeFileSync(join(home.dir, 'b.pdf'), '%PDF-1.7 other');
    const noted = await run(['extract', '--format', 'markdown', 'a.pdf', 'b.pdf'], env);
    expect(noted).toMatchObject({ exitCode: 0, stderr: NOTE });
    expect(await run(['auth', 'status'], env)).toMatchObject({ exitCode: 0, stderr: NOTE });
    for (const flag of ['--quiet', '--json']) {
      expect(await run(['extract', 'a.pdf', flag], env)).toMatchObject({ exitCode: 0, stderr: '' });
    }
  });

  test('to this machine → no note', async () => {
    const server = await startPlain();
    const { port } = new URL(server.baseUrl);
    for (const host of ['127.0.0.1', 'localhost']) {
      const env = { ...server.env, OCR_BASE_URL: `http://${host}:${port}` };
      expect(await run(['extract', 'a.pdf'], env)).toMatchObject({ exitCode: 0, stderr: '' });
    }
  });
});

describe('a proxy', () => {
  const viaTls = { OCR_BASE_URL: 'https://ocr.example' };

  test.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])(
    'named by %s → asked for a tunnel, with TLS to the service inside',
    async (name) => {
      const server = await startTls();
      const proxy = await proxyTo(server);
      const env = { ...server.env, ...viaTls, [name]: proxy.url };
      const { exitCode, stdout, stderr } = await runTrusting(['extract', 'a.pdf'], env);
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: 'came through\n', stderr: '' });
      expect(proxy.asked).toEqual(['CONNECT ocr.example:443']);
      expect(server.calls[0]?.headers['proxy-authorization']).toBeUndefined();
    },
  );

  test.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])(
    'named by %s → asked for plain http without a tunnel',
    async (name) => {
      const server = await startPlain();
      const proxy = await proxyTo(server);
      const env = { ...server.env, OCR_BASE_URL: 'http://ocr.example', [name]: proxy.url.replace('http://', '') };
      expect(await run(['extract', 'a.pdf'], env)).toMatchObject({ exitCode: 0, stdout: 'came through\n' });
      expect(proxy.asked).toEqual(['POST http://ocr.example/v1/ocr/TEXT_EXTRACTION']);
    },
  );

  test('for the other scheme → left alone', async () => {
    const server = await startTls();
    const proxy = await proxyTo(server);
    const { exitCode, stderr } = await run(['functions'], {
      ...server.env,
      ...viaTls,
      OCR_BASE_URL: 'https://no-such-host.invalid',
      HTTP_PROXY: proxy.url,
    });
    expect(exitCode).toBe(7);
    expect(stderr).toContain('No host has the name no-such-host.invalid');
    expect(proxy.asked).toEqual([]);
  });

  test.each(['.invalid', 'no-such-host.invalid', '*'])('NO_PROXY=%s → no proxy', async (exceptions) => {
    const server = await startTls();
    const proxy = await proxyTo(server);
    const env = {
      ...server.env,
      OCR_BASE_URL: 'https://no-such-host.invalid',
      ALL_PROXY: proxy.url,
      NO_PROXY: exceptions,
    };
    expect((await run(['functions'], env)).exitCode).toBe(7);
    expect(proxy.asked).toEqual([]);
  });

  test('user name and password of its address → sent to the proxy and nobody else', async () => {
    const server = await startTls();
    const proxy = await proxyTo(server);
    const env = { ...server.env, ...viaTls, HTTPS_PROXY: proxy.url.replace('://', '://someone:planted-secret@') };
    const { exitCode, stderr } = await runTrusting(['functions', '--debug'], env);
    expect(exitCode).toBe(0);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('someone:planted-secret').toString('base64')}`]);
    expect(stderr).not.toContain('planted-secret');
    expect(server.calls[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test.each([
    [407, 'wants a user name and password'],
    [403, 'answered 403'],
  ])('a refusal with %i → names the proxy', async (status, words) => {
    const server = await startTls();
    const proxy = await proxyTo(server);
    proxy.refuses = status;
    const { exitCode, stderr } = await run(['functions'], { ...server.env, ...viaTls, HTTPS_PROXY: proxy.url });
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`The proxy ${proxy.url} ${words} on the way to ocr.example`);
    expect(stderr).toContain('HTTPS_PROXY');
    expect(proxy.asked).toHaveLength(1);
  });

  test('a proxy that is not there → named, not the service', async () => {
    const env = { ...viaTls, OCR_API_KEY: 'planted-key', HTTPS_PROXY: 'http://someone:planted-secret@127.0.0.1:1' };
    writeFileSync(join(home.dir, 'args.json'), '{"pages":"1"}');
    // A catalog for checks is asked for once; the upload would be tried six times.
    const { stderr } = await run(['extract', 'a.pdf', '--args', '@args.json', '--dry-run'], env);
    expect(stderr).toContain('The proxy http://127.0.0.1:1 cannot be reached (ECONNREFUSED)');
    expect(stderr).not.toContain('planted');
  });

  test.each([
    ['hangs up', (url: string) => `The proxy ${url} closed the connection on the way to ocr.example\n`],
    ['says nothing', (url: string) => `ocr.example, asked through the proxy ${url}, made no progress for 1.5 s\n`],
  ] as const)(
    'a proxy that %s instead of a tunnel → named, and asked once for each attempt',
    async (refusal, words) => {
      const proxy = await proxyTo(await startTls());
      proxy.refuses = refusal;
      const env = { ...viaTls, OCR_API_KEY: 'k', HTTPS_PROXY: proxy.url };
      // The catalog is asked for once.
      const { stderr } = await run(['extract', 'a.pdf', '-a', 'pages=1', '--dry-run', '--timeout', '1500ms'], env);
      expect(stderr).toContain(words(proxy.url));
      expect(proxy.asked).toEqual(['CONNECT ocr.example:443']);
    },
  );

  test.each(['GET', 'POST'])('SIGTERM while the proxy is silent → ends a %s', async (method) => {
    const proxy = await proxyTo(await startTls());
    proxy.refuses = 'says nothing';
    const env = { ...viaTls, OCR_API_KEY: 'k', HTTPS_PROXY: proxy.url };
    const running = startInProcess(method === 'GET' ? ['functions'] : ['extract', 'a.pdf'], { home, env });
    await until(() => proxy.asked.length > 0);
    running.kill('SIGTERM');
    const { exitCode, stderr } = await running;
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 143,
      stderr: expect.stringContaining('Terminated'),
    });
    expect(proxy.asked).toHaveLength(1);
  });

  test.each(['socks5://127.0.0.1:1080', 'http://', 'ftp://x'])(
    'an address that is no http proxy, %s → refused',
    async (text) => {
      const { exitCode, stderr } = await run(['functions'], { ...viaTls, OCR_API_KEY: 'k', ALL_PROXY: text });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('ALL_PROXY is not the address of an http or https proxy');
    },
  );
});

describe('TLS', () => {
  test('NODE_EXTRA_CA_CERTS → trusted, and no other authority', async () => {
    const server = await startTls();
    const trusted = await runTrusting(['extract', 'a.pdf'], server.env);
    expect(trusted).toMatchObject({ exitCode: 0, stdout: 'came through\n' });
    const { exitCode, stderr } = await run(['extract', 'a.pdf'], server.env);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/^ocr: .*The certificate of localhost:\d+ is not trusted/);
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
    expect(server.calls).toHaveLength(1);
  });

  test.each<[Parameters<typeof readCertificate>[0], RegExp, string]>([
    ['expired', /The certificate of localhost:\d+ has expired/, 'clock'],
    [
      'self-signed',
      /The certificate of localhost:\d+ is not signed by an authority that this machine trusts/,
      'NODE_EXTRA_CA_CERTS',
    ],
    [
      'wrong-name',
      /The certificate of localhost:\d+ is not for localhost, but for DNS:another\.example/,
      'Check the name',
    ],
  ])('a certificate that is %s → said in words, and nothing is sent', async (name, message, hint) => {
    const server = await startTls(name);
    const runWith = name === 'self-signed' ? run : runTrusting;
    const { exitCode, stderr } = await runWith(['functions'], server.env);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(hint);
    expect(server.calls).toEqual([]);
  });

  test('https to a server of plain http → said in words', async () => {
    const server = await startPlain();
    const env = { ...server.env, OCR_BASE_URL: server.baseUrl.replace('http:', 'https:') };
    const { exitCode, stderr } = await run(['functions'], env);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/127\.0\.0\.1:\d+ does not speak TLS/);
  });
});

test('a redirect → named, not followed', async () => {
  const [server, elsewhere] = [await startPlain(), await startPlain()];
  for (const status of [301, 302, 303, 307, 308]) {
    server.script.post = [{ status, headers: { location: `${elsewhere.baseUrl}/v1/ocr/TEXT_EXTRACTION` } }];
    const { exitCode, stderr } = await run(['extract', '--fresh', 'a.pdf'], server.env);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`a redirect to ${elsewhere.baseUrl}`);
  }
  expect(server.calls).toHaveLength(5);
  expect(elsewhere.calls).toEqual([]);
});

describe('time-outs', () => {
  let silent: Server;
  let baseUrl: string;
  beforeEach(async () => {
    silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const open = new Set<import('node:net').Socket>();
    silent.on('connection', (socket) => open.add(socket));
    closing.push(async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => silent.close(() => resolve()));
    });
  });

  test('a silent server → ends after --timeout, at every step', async () => {
    const env = { OCR_BASE_URL: baseUrl, OCR_API_KEY: 'k' };
    const { stderr } = await run(['extract', 'a.pdf', '-a', 'pages=1', '--dry-run', '--timeout', '1500ms'], env);
    expect(stderr).toMatch(/127\.0\.0\.1:\d+ made no progress for 1.5 s/);
  });

  test('an answer that stops half-way → ends after --timeout', async () => {
    const server = await startPlain();
    server.script.job = [{ body: { status: 'completed' }, stopsAfterBytes: 5 }];
    server.jobs.set('job_1', {
      jobId: 'job_1',
      requestId: 'r',
      function: 'F',
      text: 't',
      polls: 0,
      file: Buffer.from('x'),
    });
    const { exitCode, stdout } = await run(['jobs', 'get', 'job_1', '--timeout', '1500ms'], server.env);
    // Asked for again, and answered whole.
    expect(exitCode).toBe(0);
    expect(stdout).toContain('completed');
    expect(server.calls).toHaveLength(2);
  });
});
