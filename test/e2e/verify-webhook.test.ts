import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSignature, signBody } from '../../dist/contract/signature.js';
import { openTerminal } from '../support/pty.js';
import { runCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

const SECRET = 'whsec_test_secret';
const BODY = '{"id":"dlv_1","type":"document.processed","data":{"requestId":"req_1"}}';
const T = 1614265330;

let home: TemporaryHome;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.remove());

interface Options {
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

const run = (args: string[], { input, env = { OCR_WEBHOOK_SECRET: SECRET } }: Options = {}) =>
  runInProcess(['verify-webhook', ...args], { home, env, ...(input === undefined ? {} : { input }) });
const sign = (body: string | Uint8Array, t = T, secrets = [SECRET]) => createSignature(secrets, t, Buffer.from(body));
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(home.dir, name), content);
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('a valid delivery → 0, and what it is', () => {
  test('standard input, or a file → checked', async () => {
    write('body.json', BODY);
    for (const [args, input] of [
      [[], BODY],
      [['-'], BODY],
      [['body.json'], undefined],
    ] as const) {
      const found = await run([...args, '--signature', sign(BODY), '--at', String(T + 12)], input ? { input } : {});
      expect(found).toMatchObject({ exitCode: 0, stderr: '' });
      expect(found.stdout).toBe(
        'Signature\tvalid\nEvent\tdocument.processed\nDelivery\tdlv_1\nAge\t12 s\nSecret\tOCR_WEBHOOK_SECRET\n',
      );
    }
  });

  test('--json → JSON', async () => {
    // The header as it was copied, with its name.
    const signature = `X-Service-Signature: ${sign(BODY)}`;
    const { stdout } = await run(['--signature', signature, '--at', '2021-02-25T15:02:15Z', '--json'], {
      input: BODY,
    });
    expect(json(stdout)).toEqual({
      valid: true,
      event: 'document.processed',
      deliveryId: 'dlv_1',
      signedAt: '2021-02-25T15:02:10.000Z',
      ageSeconds: 5,
      secret: 'OCR_WEBHOOK_SECRET',
    });
  });

  test('a time ahead of ours within the tolerance → valid', async () => {
    const ahead = Math.floor(Date.now() / 1000) + 200;
    expect((await run(['--signature', sign(BODY, ahead)], { input: BODY })).exitCode).toBe(0);
    expect((await run(['--signature', sign(BODY, ahead), '--tolerance', '60'], { input: BODY })).exitCode).toBe(1);
    expect((await run(['--signature', sign(BODY, ahead + 400)], { input: BODY })).exitCode).toBe(1);
  });

  test('10 MB from standard input, whatever the bytes → valid', async () => {
    const body = randomBytes(10_000_000);
    const found = await run(['--signature', sign(body), '--at', String(T), '--json'], { input: body });
    expect(found.exitCode).toBe(0);
    body.writeUInt8(body.readUInt8(9_999_999) ^ 1, 9_999_999);
    expect((await run(['--signature', sign('x'), '--at', String(T)], { input: body })).exitCode).toBe(1);
  });

  test('an empty body that was signed → valid', async () => {
    expect((await run(['--signature', sign(''), '--at', String(T)], { input: '' })).exitCode).toBe(0);
  });
});

describe('a recorded request', () => {
  const head = (lineEnd: string, extra: string[] = []) =>
    [
      'POST /hook HTTP/1.1',
      'Host: example.com',
      `x-SERVICE-signature: ${sign(BODY)}`,
      'X-Service-Event: document.failed',
      ...extra,
    ]
      .concat('', '')
      .join(lineEnd);

  test.each(['\r\n', '\n'])('header lines that end in %j → read', async (lineEnd) => {
    write('delivery.txt', head(lineEnd) + BODY);
    const found = await run(['--delivery', 'delivery.txt', '--at', String(T)]);
    expect(found).toMatchObject({ exitCode: 0 });
    // The body is signed, the header is not.
    expect(found.stdout).toContain('Event\tdocument.processed\n');
    expect((await run(['--delivery', '-', '--at', String(T)], { input: head(lineEnd) + BODY })).exitCode).toBe(0);
  });

  test('Content-Length → honoured', async () => {
    const length = `Content-Length: ${BODY.length}`;
    write('delivery.txt', `${head('\r\n', [length])}${BODY}\n`);
    expect((await run(['--delivery', 'delivery.txt', '--at', String(T)])).exitCode).toBe(0);
    write('delivery.txt', head('\r\n', [length]) + BODY.slice(0, -5));
    const cut = await run(['--delivery', 'delivery.txt', '--at', String(T)]);
    expect(cut.exitCode).toBe(1);
    expect(cut.stderr).toContain('5 fewer than its Content-Length says');
    expect(cut.stderr).toContain('The body was cut.');
  });

  test('a body without event and delivery → named by the headers', async () => {
    const signature = sign('plain');
    const headers = `X-Service-Signature: ${signature}\nX-Service-Delivery: dlv_9\nX-Service-Event: document.failed\n\n`;
    const { stdout } = await run(['--delivery', '-', '--at', String(T), '--json'], { input: `${headers}plain` });
    expect(json(stdout)).toMatchObject({ event: 'document.failed', deliveryId: 'dlv_9' });
  });
});

describe('secrets', () => {
  test('secrets from files → several while rotating; the matching one is named', async () => {
    write('old', `${SECRET}\n`);
    write('new', 'whsec_new\r\n');
    const args = ['--signature', sign(BODY), '--at', String(T), '--json'];
    const several = await run([...args, '--secret-file', 'new', '--secret-file', 'old'], { input: BODY, env: {} });
    expect(json(several.stdout)).toMatchObject({ valid: true, secret: 'old' });
    write('both', `whsec_new\n${SECRET}\n`);
    const one = await run([...args, '--secret-file', 'both'], { input: BODY, env: {} });
    expect(json(one.stdout)).toMatchObject({ valid: true, secret: 'both:2' });
    expect((await run([...args, '--secret-file', 'new'], { input: BODY })).exitCode).toBe(1);
  });

  test('no secret on a terminal → asked for, and not shown', async () => {
    write('body.json', BODY);
    const terminal = openTerminal(['verify-webhook', 'body.json', '--signature', sign(BODY), '--at', String(T)], {
      home,
    });
    await terminal.waitFor(/Signing secret: /);
    terminal.type(`${SECRET}\r`);
    expect((await terminal.exited).exitCode).toBe(0);
    expect(terminal.shown).toContain('document.processed');
    expect(terminal.shown).not.toContain(SECRET);
  });
});

describe('no match → 1 and why', () => {
  test.each<[string, string, RegExp]>([
    ['another secret', sign(BODY, T, ['whsec_other']), /does not match the body \(71 bytes\)/],
    ['an old one', sign(BODY, T - 301), /is correct, but 301 s old; the tolerance is 300 s/],
    ['one of the future', sign(BODY, T + 301), /is correct, but 301 s ahead/],
    ['a t that is no number', `t=NaN,v1=${signBody(SECRET, 'NaN', Buffer.from(BODY))}`, /t is not a number: NaN/],
    ['an empty t', `t=,v1=${signBody(SECRET, '', Buffer.from(BODY))}`, /t is not a number/],
    ['a digest in capitals', sign(BODY).toUpperCase().replace('T=', 't=').replace('V1', 'v1'), /lower-case/],
    ['a short digest', sign(BODY).slice(0, -1), /does not match/],
    ['an empty digest', `t=${T},v1=`, /does not match/],
  ])('%s', async (_, signature, why) => {
    const text = await run(['--signature', signature, '--at', String(T)], { input: BODY });
    expect(text).toMatchObject({ exitCode: 1, stdout: '' });
    expect(text.stderr).toMatch(why);
  });

  test.each([
    ['t', 'v1=abc'],
    ['v1', `t=${T},v0=abc`],
  ])('no %s → 2: it is no signature; with --explain nothing else is tried', async (missing, signature) => {
    expect((await run(['--signature', signature], { input: BODY })).exitCode).toBe(2);
    const text = await run(['--signature', signature, '--explain'], { input: BODY });
    expect(text).toMatchObject({ exitCode: 2, stdout: '' });
    expect(text.stderr).toMatch(new RegExp(`^ocr: The signature has no ${missing}\n`));
    const json = await run(['--signature', signature, '--explain', '--json'], { input: BODY });
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, tried: [] });
  });

  test('--json → JSON', async () => {
    const args = ['--signature', sign(BODY, T - 301), '--at', String(T), '--json'];
    const { stdout, stderr, exitCode } = await run(args, { input: BODY });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const message = expect.stringMatching(/is correct, but 301 s old; the tolerance is 300 s/);
    expect(json(stdout)).toMatchObject({ valid: false, error: { code: 'SIGNATURE_INVALID', message } });
  });
});

describe('cannot be checked → 2', () => {
  test.each<[string, string[], Options]>([
    ['an empty signature', ['--signature', ''], { input: BODY }],
    ['no signature', [], { input: BODY }],
    ['no secret', ['--signature', sign(BODY)], { input: BODY, env: {} }],
    ['an empty secret', ['--signature', sign(BODY)], { input: BODY, env: { OCR_WEBHOOK_SECRET: ' ' } }],
    ['a secret file that is not there', ['--signature', sign(BODY), '--secret-file', 'nope'], { input: BODY }],
    ['no body', ['--signature', sign(BODY)], { input: '' }],
    ['a delivery without a signature', ['--delivery', '-'], { input: 'a: 1\n\n{}' }],
    ['a delivery without a body', ['--delivery', '-'], { input: `x-service-signature: ${sign(BODY)}\n` }],
    ['two bodies', ['body.json', '--delivery', '-'], { input: '' }],
    ['a time that is none', ['--signature', sign(BODY), '--at', 'yesterday'], { input: BODY }],
    ['a time in milliseconds', ['--signature', sign(BODY), '--at', `${T}000`], { input: BODY }],
  ])('%s', async (_, args, options) => {
    const { exitCode, stdout, stderr } = await run(args, options);
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^ocr: /);
  });

  test('a body that is not there → 5', async () => {
    expect((await run(['nope.json', '--signature', sign(BODY)])).exitCode).toBe(5);
  });
});

describe('--explain → what would match, and 1', () => {
  const pretty = JSON.stringify(
    { id: 'dlv_1', text: 'ä/😀', amount: 1, list: [], nested: { a: [1, { b: null }] } },
    null,
    2,
  );
  const compact = JSON.stringify(JSON.parse(pretty));
  const python = String.raw`{"id": "dlv_1", "text": "\u00e4/\ud83d\ude00", "amount": 1, "list": [], "nested": {"a": [1, {"b": null}]}}`;
  const php = String.raw`{"id":"dlv_1","text":"\u00e4\/\ud83d\ude00","amount":1,"list":[],"nested":{"a":[1,{"b":null}]}}`;
  const utf8 = Buffer.from(compact);
  const bom = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]);

  test.each<[string, string | Uint8Array, string | Uint8Array, RegExp]>([
    ['compact JSON that was pretty-printed', compact, pretty, /parsed and serialised again/],
    ['pretty JSON that was made compact', pretty, compact, /parsed and serialised again/],
    ['JSON of Python', python, compact, /parsed and serialised again/],
    ['JSON of PHP', php, compact, /parsed and serialised again/],
    [
      'numbers that a parser would change',
      '{"a": 1.0, "10": 2e5, "9": 1}',
      '{"a":1.0,"10":2e5,"9":1}',
      /serialised again/,
    ],
    ['an added newline', 'text', 'text\n', /newline was added/],
    ['a lost newline', `${compact}\n`, compact, /newline was removed/],
    ['CRLF for LF', 'a\nb\n', 'a\r\nb\r\n', /LF became CRLF/],
    ['LF for CRLF', 'a\r\nb\r\n', 'a\nb\n', /CRLF became LF/],
    ['an added BOM', utf8, bom, /mark was added/],
    ['a lost BOM', bom, utf8, /mark was removed/],
    ['UTF-8 in UTF-8', utf8, Buffer.from(utf8.toString('latin1')), /encoded again/],
    ['a cut body', compact, compact.slice(0, -2), /was cut: its JSON ends too early/],
  ])('%s', async (_, signed, received, what) => {
    const args = ['--signature', sign(signed), '--at', String(T), '--explain'];
    const text = await run(args, { input: received });
    expect(text.exitCode).toBe(1);
    const right = text.stdout.split('\n').filter((line) => line.endsWith('\twould match'));
    expect(right).toHaveLength(1);
    expect(right[0]).toMatch(what);
    expect(text.stdout.startsWith(right[0] ?? '')).toBe(true);
    expect(text.stderr).toMatch(what);
  });

  test('--json → JSON', async () => {
    const args = ['--signature', sign(pretty), '--at', String(T), '--explain', '--json'];
    const { stdout, exitCode } = await run(args, { input: compact });
    expect(exitCode).toBe(1);
    const what = expect.stringMatching(/parsed and serialised again/);
    expect((json(stdout).tried as unknown[])[0]).toEqual({ what, matches: true });
  });

  test('too much of a body missing → called cut; the secret may be right', async () => {
    const args = ['--signature', sign(compact), '--at', String(T), '--explain'];
    const input = compact.slice(0, -30);
    const text = await run(args, { input });
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toContain('the body was cut: its JSON ends too early\tcannot be tried\n');
    expect(text.stderr).toContain('The body was cut.');
    expect(text.stderr).not.toContain('secret');
    expect(json((await run([...args, '--json'], { input })).stdout).tried).toContainEqual({
      what: 'the body was cut: its JSON ends too early',
      matches: false,
      seen: true,
    });
  });

  test('a newline after compact JSON → called a newline', async () => {
    const args = ['--signature', sign(compact), '--at', String(T), '--explain'];
    expect((await run(args, { input: `${compact}\n` })).stderr).toMatch(/but for this: a trailing newline was added/);
  });

  test.each<[string, string, RegExp]>([
    ['the clock', sign(BODY, T - 7200), /the clock: signed 7200 s before it/],
    ['milliseconds in t', sign(BODY, T * 1000), /t counts milliseconds/],
    [
      'seconds in t, signed in milliseconds',
      `t=${T},v1=${signBody(SECRET, `${T}000`, Buffer.from(BODY))}`,
      /milliseconds/,
    ],
    ['capitals', `t=${T},v1=${signBody(SECRET, String(T), Buffer.from(BODY)).toUpperCase()}`, /upper case/],
    ['a secret without its prefix', sign(BODY, T, ['test_secret']), /without its whsec_/],
  ])('%s', async (_, signature, what) => {
    const { stdout, exitCode } = await run(['--signature', signature, '--at', String(T), '--explain'], { input: BODY });
    expect(exitCode).toBe(1);
    expect(
      stdout
        .split('\n')
        .filter((line) => line.endsWith('\twould match'))
        .join('\n'),
    ).toMatch(what);
  });

  test('nothing matches, or valid → no explanation', async () => {
    const other = await run(['--signature', sign(BODY, T, ['whsec_x']), '--at', String(T), '--explain'], {
      input: BODY,
    });
    expect(other.stdout).not.toContain('\twould match');
    expect(other.exitCode).toBe(1);
    const valid = await run(['--signature', sign(BODY), '--at', String(T), '--explain'], { input: BODY });
    expect(valid).toMatchObject({ exitCode: 0 });
    expect(valid.stdout).not.toContain('would');
  });
});

test('verify-webhook → loads commander alone of all packages, and reads no settings', async () => {
  mkdirSync(home.configDir);
  write('config/config.json', '{');
  write(
    'hooks.mjs',
    `import { appendFileSync } from 'node:fs';
     export async function load(url, context, next) {
       appendFileSync(process.env.LOADED, url + '\\n');
       return await next(url, context);
     }`,
  );
  write(
    'register.mjs',
    `import { appendFileSync } from 'node:fs';
     import { createRequire, register } from 'node:module';
     register('./hooks.mjs', import.meta.url);
     const { cache } = createRequire(import.meta.url);
     process.on('exit', () => appendFileSync(process.env.LOADED, Object.keys(cache).join('\\n') + '\\n'));`,
  );
  const loaded = join(home.dir, 'loaded');
  const env = {
    OCR_WEBHOOK_SECRET: SECRET,
    LOADED: loaded,
    // The successor of `register` is not in Node 20.
    NODE_OPTIONS: `--import=${join(home.dir, 'register.mjs')} --disable-warning=DEP0205`,
  };
  const args = ['verify-webhook', '--signature', sign(BODY), '--at', String(T)];
  const { exitCode, stderr } = await runCli(args, { home, input: BODY, env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const packages = [...readFileSync(loaded, 'utf8').matchAll(/node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(
    (match) => match[1],
  );
  expect(new Set(packages)).toEqual(new Set(['commander']));
});
