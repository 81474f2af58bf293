import { type ExecFileException, execFile, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSignature } from '../../src/contract/signature.js';
import { renderEvent } from '../../src/contract/webhook-event.js';
import { examples } from '../fixtures/manifest.js';
import { startContractServer } from '../support/contract-server.js';
import { type InstalledPackage, installPackage, unpackPackage } from '../support/installed-package.js';
import { createHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
let installed: InstalledPackage;

/** The programs of the documentation: blocks whose first line names a file. */
const programs = ['library.md', 'webhooks.md'].flatMap((page) =>
  [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```\w+\n(?:\/\/|#) (\S+)\n(.*?)^```/gms)].map(
    ([, name = '', text = '']) => ({ name, text }),
  ),
);

beforeAll(() => {
  installed = installPackage();
  for (const { name, text } of programs) writeFileSync(join(installed.dir, name), text);
  copyFileSync(examples.report.path, join(installed.dir, 'report.pdf'));
});
afterAll(() => installed.remove());

async function run(program: string, env: Record<string, string> = {}) {
  const home = createHome();
  onTestFinished(() => home.remove());
  const options = { cwd: installed.dir, env: { ...home.env, ...env } };
  return await promisify(execFile)(
    process.execPath,
    program.endsWith('js') ? [program] : ['--input-type=module', '-e', program],
    options,
  ).catch((error: ExecFileException) => Promise.reject(new Error(`${program}: ${error.stderr}`)));
}

test('the installed package → one public path, and declarations of its public surface alone', async () => {
  const { stdout } = await run(`
    const seen = [];
    for (const path of ['ocr', 'ocr/package.json', 'ocr/dist/main.js', 'ocr/dist/library/index.js', 'ocr/bin/ocr.js', 'ocr/docs/help.txt'])
      seen.push(await import(path, path.endsWith('json') ? { with: { type: 'json' } } : undefined).then(() => 'ok', ({ code }) => code));
    console.log(JSON.stringify(seen));`);
  const hidden = 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  expect(JSON.parse(stdout)).toEqual(['ok', 'ok', hidden, hidden, hidden, hidden]);
  const declarations = readdirSync(join(installed.dir, 'node_modules/ocr'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => name.replaceAll('\\', '/'));
  expect(declarations.sort()).toEqual(
    ['create-client', 'errors', 'index', 'types', 'verify-webhook'].map((name) => `dist/library/${name}.d.ts`),
  );
});

test('without the optional packages → a call to another server works, and this machine says what is missing', async () => {
  const { stdout } = await run(`
    import { createClient } from 'ocr';
    const error = await createClient().functions.list().catch((thrown) => thrown);
    console.log(JSON.stringify({ name: error.name, code: error.code, message: error.message }));`);
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'ConnectionError',
    code: 'LOCAL_UNAVAILABLE',
    message: expect.stringContaining('fastify'),
  });
});

test('the package alone → reads text layers, scans and barcodes, and draws pages', async () => {
  const { dir, remove } = unpackPackage();
  onTestFinished(remove);
  const home = createHome();
  onTestFinished(() => home.remove());
  const ocr = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [join(dir, 'bin/ocr.js'), ...args], { cwd: dir, env: home.env }))
      .stdout;
  onTestFinished(async () => void (await ocr('local', 'stop')));
  // Long enough for threads of text layers.
  expect(await ocr('extract', join(ROOT, 'test/fixtures/hundred.pdf'))).toMatch(/\w{4,}/);
  expect(await ocr('extract', 'examples/scanned.pdf')).toMatch(/\w{4,}/);
  expect(JSON.parse(await ocr('extract', 'examples/report.pdf', '-f', 'BARCODE_READING', '--json'))).toHaveProperty(
    'result',
  );
  expect(await ocr('open', 'examples/report.pdf', '--pages', '1', '--no-input')).toContain('.html');
});

test('the TypeScript programs of docs/ → type-checked and run; a mistake → refused by the types', async () => {
  const server = await startContractServer();
  onTestFinished(() => server.close());
  const env = { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: server.apiKey };
  const names = programs.map(({ name }) => name).filter((name) => name.endsWith('.ts'));
  writeFileSync(
    join(installed.dir, 'mistake.ts'),
    `import { createClient, verifyWebhook, type WebhookEvent } from 'ocr';
     const client = createClient();
     const answer = await client.extract('a.pdf');
     // @ts-expect-error a job has no result
     answer.result.text;
     if (answer.result) answer.result.text satisfies string;
     // @ts-expect-error no such option
     client.extract('a.pdf', { functions: 'X' });
     // @ts-expect-error a number is no document
     client.extract(1);
     const event: WebhookEvent = verifyWebhook({ body: '', signature: '', secrets: '' });
     if (event.type === 'document.failed') event.data.error.code satisfies string;
     // @ts-expect-error only a failed document has an error
     else event.data.error;
     const tables = await client.extract(new Blob([]), { function: 'TABLE_EXTRACTION' });
     if (tables.result) tables.function satisfies 'TABLE_EXTRACTION';`,
  );
  const flags = [
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--exactOptionalPropertyTypes',
  ];
  const checked = spawnSync(process.execPath, [TSC, ...flags, ...names, 'mistake.ts'], {
    cwd: installed.dir,
    encoding: 'utf8',
  });
  expect(checked.stdout).toBe('');
  const outputs: Record<string, RegExp> = { 'job.ts': /^completed sha256 /, 'errors.ts': /^$/ };
  expect(names.sort()).toEqual(Object.keys(outputs).sort());
  for (const name of names) expect((await run(name.replace(/ts$/, 'js'), env)).stdout).toMatch(outputs[name] as RegExp);
});

test('the program of docs/library.md → the text of a document', async () => {
  const server = await startContractServer();
  onTestFinished(() => server.close());
  const { stdout } = await run('extract.mjs', { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: server.apiKey });
  expect(stdout).toMatch(/^sha256 /);
  expect(server.calls.at(-1)?.upload?.args).toBe('{"format":"markdown"}');
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.for([
  ['receiver.mjs', process.execPath],
  ['receiver.py', 'python3'],
] as const)(
  '%s of docs/webhooks.md → takes what is signed and nothing else, in 15 lines',
  async ([name, program], context) => {
    if (program === 'python3' && !hasPython) return context.skip('there is no python3 on this machine');
    const { text = '' } = programs.find((known) => known.name === name) ?? {};
    expect(
      text
        .trim()
        .split('\n')
        .filter((line) => line.trim() !== '').length,
    ).toBeLessThanOrEqual(15);
    const secret = 'whsec_of_the_test_0123456789';
    const port = await findPort();
    const receiver = spawn(program, [name], {
      cwd: installed.dir,
      env: { PATH: process.env.PATH, OCR_WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let printed = '';
    receiver.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    const ended = new Promise((resolve) => receiver.once('exit', resolve));
    onTestFinished(async () => {
      receiver.kill('SIGKILL');
      await ended;
    });
    const url = `http://127.0.0.1:${port}/`;
    const body = renderEvent('dlv_1', Date.now(), { requestId: 'req_1', function: 'F', status: 'failed' });
    const post = async (signature: string | undefined, sent = body) =>
      (
        await fetch(url, {
          method: 'POST',
          body: sent,
          headers: signature === undefined ? {} : { 'x-service-signature': signature },
        })
      ).status;
    await until(
      () =>
        post(undefined).then(
          () => true,
          () => false,
        ),
      'the receiver to listen',
    );
    const nowS = Math.floor(Date.now() / 1_000);
    const signed = createSignature(['whsec_before', secret], nowS, Buffer.from(body));
    expect(await post(signed)).toBe(204);
    expect(await post(signed, `${body}\n`)).toBe(400);
    expect(await post(createSignature([secret], nowS - 400, Buffer.from(body)))).toBe(400);
    expect(await post(createSignature(['whsec_before'], nowS, Buffer.from(body)))).toBe(400);
    expect(await post('t=soon')).toBe(400);
    await until(() => printed.includes('\n'), 'the event to be printed');
    expect(printed.trim().split('\n')).toEqual([expect.stringMatching(/^dlv_1 document\.failed/)]);
  },
);

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
