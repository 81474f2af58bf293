import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAddressPolicy } from '../../../../src/service/webhooks/address-policy.js';
import { checkTarget, TargetRefusedError } from '../../../../src/service/webhooks/check-target.js';
import { postToTarget } from '../../../../src/service/webhooks/post-to-target.js';
import { findInHosts, type ResolveHost, resolveHost } from '../../../../src/service/webhooks/resolve-host.js';
import {
  HOSTILE_FORMS,
  HOSTILE_URLS,
  NO_ADDRESSES,
  NON_PUBLIC_ADDRESSES,
  PUBLIC_ADDRESSES,
} from '../../../fixtures/webhooks/hostile-targets.js';

/** Something that listens on every address of this machine, and counts who comes. */
const connections: Socket[] = [];
let server: Server;
let port: string;

beforeAll(async () => {
  server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => {}).destroy();
  });
  // Dual stack: also what comes to 127.0.0.1.
  await new Promise<void>((resolve) => server.listen({ host: '::', port: 0 }, resolve));
  port = String((server.address() as { port: number }).port);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const noExceptions = createAddressPolicy([]);
const never = new AbortController().signal;

/** Checks a target and connects to the checked address, as the sender does. */
async function deliver(url: string, resolve: ResolveHost = resolveHost, isAllowed = noExceptions): Promise<unknown> {
  try {
    const target = await checkTarget(url.replaceAll('PORT', port), isAllowed, resolve, never);
    return await postToTarget(target, Buffer.from('{}'), {}, AbortSignal.timeout(5_000));
  } catch (error) {
    return error;
  }
}

const answering =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('the hostile targets → at least 200, none twice', () => {
  const all = [...HOSTILE_URLS, ...HOSTILE_FORMS, ...NON_PUBLIC_ADDRESSES, ...NO_ADDRESSES];
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(200);
});

test('an allowed address → connected to', async () => {
  for (const [url, cidr] of [
    ['https://127.0.0.1:PORT/', '127.0.0.0/8'],
    ['https://[::1]:PORT/', '::1/128'],
    ['https://0x7f.1:PORT/', '127.0.0.1/32'],
    ['https://localhost:PORT/', '127.0.0.0/8'],
  ] as const) {
    const before = connections.length;
    expect(await deliver(url, resolveHost, createAddressPolicy([cidr])), url).not.toBeInstanceOf(TargetRefusedError);
    await expect.poll(() => connections.length, { message: url }).toBe(before + 1);
  }
});

test('any URL of a non-public address → no connection', async () => {
  const before = connections.length;
  for (const url of [...HOSTILE_URLS, ...HOSTILE_FORMS]) {
    // A name that is not this machine's has no address here, or a hostile one.
    const outcome = await deliver(url, async (name, signal) =>
      name.endsWith('localhost') ? await resolveHost(name, signal) : await answering('127.0.0.1')(name, signal),
    );
    expect(outcome, url).toBeInstanceOf(TargetRefusedError);
  }
  expect(connections.length - before).toBe(0);
});

test('any resolver answer that is not public → no connection', async () => {
  const before = connections.length;
  const url = 'https://hooks.example.com:PORT/';
  for (const address of [...NON_PUBLIC_ADDRESSES, ...NO_ADDRESSES]) {
    expect(noExceptions(address), address).toBe(false);
    expect(await deliver(url, answering(address)), address).toBeInstanceOf(TargetRefusedError);
    // One among public ones is one too many, wherever it stands.
    expect(await deliver(url, answering('1.1.1.1', address)), address).toBeInstanceOf(TargetRefusedError);
    expect(await deliver(url, answering(address, '2606:4700::1111')), address).toBeInstanceOf(TargetRefusedError);
  }
  expect(await deliver(url, answering())).toBeInstanceOf(TargetRefusedError);
  expect(connections.length - before).toBe(0);
});

test('a forbidden URL → refused, also with a public host', async () => {
  const check = (url: string) => checkTarget(url, noExceptions, answering('1.1.1.1'), never);
  for (const url of ['https://user@x.example/', 'https://:secret@x.example/', 'http://x.example/', 'ftp://x.example/'])
    await expect(check(url), url).rejects.toThrow(TargetRefusedError);
  await expect(check(`https://x.example/${'x'.repeat(2048)}`)).rejects.toThrow(/longer than/);
  // The call goes to the URL as the parser normalised it.
  expect(await check('HTTPS://X.Example.:443/a b?c=d#e')).toMatchObject({
    url: new URL('https://x.example./a%20b?c=d'),
    hostname: 'x.example',
    addresses: [{ address: '1.1.1.1', family: 4 }],
  });
});

test('public addresses at the edges of refused ranges → allowed', () => {
  expect(PUBLIC_ADDRESSES.filter((address) => !noExceptions(address))).toEqual([]);
});

test('a target → one look-up, a connection to the checked address', async () => {
  let asked = 0;
  const isAllowed = createAddressPolicy(['127.0.0.0/8']);
  const rebinding: ResolveHost = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '::1', family: 4 }];
  const before = connections.length;
  await deliver('https://rebinding.example:PORT/', rebinding, isAllowed);
  await expect.poll(() => connections.length).toBe(before + 1);
  expect(asked).toBe(1);
  // The next attempt asks anew, and is refused.
  expect(await deliver('https://rebinding.example:PORT/', rebinding, isAllowed)).toBeInstanceOf(TargetRefusedError);
  expect(connections.length).toBe(before + 1);
});

test('an allowed range → only its own address family', () => {
  const isAllowed = createAddressPolicy(['10.1.0.0/16', 'fd00::/16']);
  for (const address of ['10.1.0.1', '10.1.255.255', 'fd00::1', '1.1.1.1'])
    expect(isAllowed(address), address).toBe(true);
  for (const address of ['10.2.0.1', 'fd01::1', '::ffff:10.1.0.1', 'fd00::1%lo', '127.0.0.1'])
    expect(isAllowed(address), address).toBe(false);
  // Allowing all of IPv6 does not let IPv4 in by the back door.
  expect(createAddressPolicy(['::/0'])('::ffff:127.0.0.1')).toBe(false);
  expect(createAddressPolicy(['0.0.0.0/0'])('::ffff:127.0.0.1')).toBe(false);
});

test('names of the hosts file → win; comments are ignored', () => {
  const hosts = '127.0.0.1 localhost me # other\r\n# 1.2.3.4 me\n::1\tlocalhost\n10.0.0.1 ME.example\nnonsense me\n';
  expect(findInHosts('localhost', hosts)).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(findInHosts('me', hosts)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(findInHosts('me.example', hosts)).toEqual([{ address: '10.0.0.1', family: 4 }]);
  expect(findInHosts('other', hosts)).toEqual([]);
});
