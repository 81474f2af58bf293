import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { findNativeTesseract } from '../../src/engine/stages/recognise/find-native-tesseract.js';
import { findAbsentLanguages } from '../support/absent-languages.js';
import { type FakeRegistry, startFakeRegistry } from '../support/fake-registry.js';
import { createLocalHome } from '../support/local-service.js';
import { createServiceHome, startOwnService } from '../support/own-service.js';
import { startProxy } from '../support/proxy.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

const [absent, furtherAbsent] = await findAbsentLanguages();
const { code, name, short } = absent;

/** English data, which stands for that of other languages here. */
const ENGLISH = readFileSync(
  join(
    dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
    '4.0.0_best_int/eng.traineddata.gz',
  ),
);

/** A picture of one paragraph. */
const SCAN = fileURLToPath(new URL('../fixtures/paragraph.png', import.meta.url));

interface Row {
  code: string;
  name: string;
  installed: boolean;
}

async function setUp(
  home = createServiceHome(),
): Promise<{ home: TemporaryHome; registry: FakeRegistry; run: ReturnType<typeof runner> }> {
  const registry = await startFakeRegistry();
  onTestFinished(registry.close);
  registry.packages.set(`@tesseract.js-data/${code}`, {
    [`4.0.0/${code}.traineddata.gz`]: 'a larger variant',
    [`4.0.0_best_int/${code}.traineddata.gz`]: ENGLISH,
  });
  home.env.npm_config_registry = registry.url;
  return { home, registry, run: runner(home) };
}

const runner =
  (home: TemporaryHome) =>
  (args: string[], env: Record<string, string> = {}) =>
    runInProcess(args, { home, env });

const folderOf = ({ dataDir }: TemporaryHome) => join(dataDir, 'languages');

test('languages → the installed ones first, then what can be installed; --json has code, name and state', async () => {
  const { run } = await setUp();
  const { stdout, exitCode } = await run(['languages', '--json']);
  const rows = JSON.parse(stdout) as Row[];
  expect(exitCode).toBe(0);
  expect(rows).toContainEqual({ code: 'eng', name: 'English', installed: true });
  expect(rows).toContainEqual({ code, name, installed: false });
  const states = rows.map(({ installed }) => installed);
  expect(states).toEqual([...states].sort((a, b) => Number(b) - Number(a)));
  expect((await run(['languages'])).stdout).toContain(`${code}\t${name}\tavailable\n`);
});

test('languages install → the best data of the package, private, and no second time', async () => {
  const { home, registry, run } = await setUp();
  const first = await run(['languages', 'install', short, '--json']);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toEqual([{ code, name, installed: true }]);
  expect(readdirSync(folderOf(home))).toEqual([`${code}.traineddata`]);
  const path = join(folderOf(home), `${code}.traineddata`);
  expect(readFileSync(path).equals(gunzipSync(ENGLISH))).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await run(['languages'])).stdout).toContain(`${code}\t${name}\tinstalled\n`);

  const calls = registry.calls.length;
  const again = await run(['languages', 'install', name.toLowerCase()]);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('installed already') });
  expect(registry.calls).toHaveLength(calls);
});

test('a running service → reads a language as soon as it is installed', async () => {
  const { home, run } = await setUp();
  // The folder of the user who runs the service, which has its data elsewhere.
  const serving = await startOwnService(home, {}, ['--data-dir', join(home.dir, 'elsewhere')]);
  const key = readFileSync(join(serving.dataDir, 'api-key'), 'utf8').trim();
  const env = { OCR_BASE_URL: serving.url, OCR_API_KEY: key };
  const extract = (...more: string[]) => run(['extract', '-l', short, '--json', ...more, SCAN], env);

  const hint = `the language "${code}" is not installed: whoever runs the service can install it there (ocr languages install ${code})`;
  const refused = await extract();
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout).error.message).toContain(hint);
  const queued = JSON.parse((await extract('--no-wait')).stdout) as { jobId: string };
  const failed = await run(['jobs', 'wait', queued.jobId, '--json'], env);
  expect(JSON.parse(failed.stdout).error.message).toContain(hint);

  expect(await run(['languages', 'install', code])).toMatchObject({ exitCode: 0 });
  const read = await extract();
  expect(read).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(read.stdout).meta.provider).toBe('tesseract-wasm');
  expect(JSON.parse(read.stdout).result.text).toContain('seeds for the garden');
  const { stdout } = await run(['functions', 'get', 'text'], env);
  expect(stdout).toMatch(new RegExp(`Installed: .*\\b${code}\\b`));
});

test('the service that the command started → the command that installs the language', async () => {
  const { run } = await setUp(createLocalHome());
  const extract = async (language: string) => {
    const { exitCode, stdout } = await run(['extract', '-l', language, '--json', SCAN]);
    expect(exitCode).toBe(1);
    const { requestId, error } = JSON.parse(stdout) as { requestId: string; error: { message: string } };
    const card = JSON.parse((await run(['requests', 'get', requestId, '--json'])).stdout) as { next: string };
    return { message: error.message, next: card.next };
  };
  expect(await extract(code)).toEqual({
    message: `args at /languages: the language "${code}" is not installed: ocr languages install ${code}`,
    next: `ocr languages install ${code}`,
  });
  // A code of no language, which nothing can be installed for.
  expect(await extract('xqz')).toEqual({
    message: 'args at /languages: there is no data for a language "xqz"',
    next: 'ocr functions get TEXT_EXTRACTION',
  });
});

const native = await findNativeTesseract(process.env);
test.skipIf(native === undefined)(
  'native Tesseract (skipped if it is not installed) → reads an installed language itself',
  async () => {
    const { home, run } = await setUp();
    // A code that no system has data for.
    mkdirSync(folderOf(home), { recursive: true });
    writeFileSync(join(folderOf(home), 'ours.traineddata'), gunzipSync(ENGLISH));
    const serving = await startOwnService(home, { OCR_SERVE_OCR_ENGINE: 'native' });
    const key = readFileSync(join(serving.dataDir, 'api-key'), 'utf8').trim();
    const { stdout } = await run(['extract', '-l', 'ours', '--json', SCAN], {
      OCR_BASE_URL: serving.url,
      OCR_API_KEY: key,
    });
    expect(JSON.parse(stdout)).toMatchObject({ meta: { provider: 'tesseract' } });
    expect(JSON.parse(stdout).result.text).toContain('seeds for the garden');
    // The data of the package, for its further readings.
    expect(readdirSync(join(serving.dataDir, 'languages', '.unpacked'))).toHaveLength(1);
  },
);

test('a wrong digest → 1, and nothing is kept', async () => {
  const { home, registry, run } = await setUp();
  registry.liesAboutDigests = true;
  const { exitCode, stderr } = await run(['languages', 'install', code]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('digest') });
  expect(existsSync(folderOf(home)) ? readdirSync(folderOf(home)) : []).toEqual([]);
});

test('a registry that cannot be reached → 7, with the way to see which one it is', async () => {
  const { run } = await setUp();
  const { exitCode, stderr } = await run(['languages', 'install', code], {
    npm_config_registry: 'http://127.0.0.1:9/',
  });
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining('npm config get registry'),
  });
});

test.each([
  ['a language without data', 'klingon', 5, 'ocr languages'],
  ['a slip', name.replace(/^../, '$&x'), 5, `Did you mean ${name}?`],
  ['what can be no code', `../${code}`, 2, 'no code of a language'],
  [
    'a language that the registry lacks',
    furtherAbsent.code,
    5,
    `has no package @tesseract.js-data/${furtherAbsent.code}`,
  ],
])('%s → says so', async (_, word, exitCode, message) => {
  const { registry, run } = await setUp();
  const refused = await run(['languages', 'install', word]);
  expect(refused).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
  if (word !== furtherAbsent.code) expect(registry.calls).toEqual([]);
});

test('a package without data, or with damaged data → 1, and nothing is kept', async () => {
  const { home, registry, run } = await setUp();
  for (const files of [{ 'README.md': '' }, { [`4.0.0/${code}.traineddata.gz`]: gzipSync('x').subarray(0, 12) }]) {
    registry.packages.set(`@tesseract.js-data/${code}`, files);
    // npm keeps what it got once.
    const env = { npm_config_cache: join(home.dir, `cache-${Object.keys(files).join().length}`) };
    expect(await run(['languages', 'install', code], env)).toMatchObject({ exitCode: 1 });
    expect(existsSync(folderOf(home)) ? readdirSync(folderOf(home)) : []).toEqual([]);
  }
});

test('scripts of a package, and settings of npm that would place it elsewhere → neither runs nor counts', async () => {
  const { home, registry, run } = await setUp();
  const planted = join(home.dir, 'planted');
  registry.packages.set(`@tesseract.js-data/${code}`, {
    'package.json': JSON.stringify({
      name: `@tesseract.js-data/${code}`,
      version: '1.0.0',
      scripts: { install: `touch ${planted}`, postinstall: `touch ${planted}` },
    }),
    [`4.0.0_best_int/${code}.traineddata.gz`]: ENGLISH,
  });
  const temporary = join(home.dir, 'temporary');
  mkdirSync(temporary);
  const settings = {
    TMPDIR: temporary,
    npm_config_global: 'true',
    npm_config_dry_run: 'true',
    npm_config_ignore_scripts: 'false',
  };
  expect(await run(['languages', 'install', code], settings)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(folderOf(home))).toEqual([`${code}.traineddata`]);
  expect(existsSync(planted)).toBe(false);
  expect(readdirSync(temporary).filter((name) => name.startsWith('ocr-language-'))).toEqual([]);
});

test('several languages, and a package without the best variant → each is installed, from the next best', async () => {
  const { home, registry, run } = await setUp();
  registry.packages.set(`@tesseract.js-data/${furtherAbsent.code}`, {
    [`4.0.0/${furtherAbsent.code}.traineddata.gz`]: 'a larger variant',
    [`4.0.0_fast/${furtherAbsent.code}.traineddata.gz`]: ENGLISH,
  });
  const { stdout, exitCode } = await run([
    'languages',
    'install',
    furtherAbsent.short,
    code,
    furtherAbsent.code,
    '--json',
  ]);
  expect(exitCode).toBe(0);
  expect((JSON.parse(stdout) as Row[]).map((row) => row.code)).toEqual([furtherAbsent.code, code]);
  for (const row of [code, furtherAbsent.code])
    expect(readFileSync(join(folderOf(home), `${row}.traineddata`)).equals(gunzipSync(ENGLISH))).toBe(true);
});

test('a registry that wants a log-in → 4, with the way to log in', async () => {
  const { registry, run } = await setUp();
  registry.isClosedToStrangers = true;
  expect(await run(['languages', 'install', code])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('npm login'),
  });
});

test('a proxy of npm’s settings → the registry is asked through it', async () => {
  const { home, registry, run } = await setUp();
  const proxy = await startProxy(registry.url);
  onTestFinished(() => proxy.close());
  const env = { npm_config_registry: 'http://registry.example/', npm_config_proxy: proxy.url };
  expect(await run(['languages', 'install', code], env)).toMatchObject({ exitCode: 0 });
  expect(proxy.asked.join('\n')).toContain('http://registry.example/@tesseract.js-data');
  expect(readdirSync(folderOf(home))).toEqual([`${code}.traineddata`]);
});

test('a settings file of npm in the working directory → not read', async () => {
  const { home, registry, run } = await setUp();
  writeFileSync(join(home.dir, 'package.json'), '{}');
  mkdirSync(join(home.dir, 'work'));
  const { npm_config_registry: _, ...env } = home.env;
  writeFileSync(join(home.dir, '.npmrc'), `registry=${registry.url}\n`);
  writeFileSync(join(home.dir, 'work', '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  const args = ['languages', 'install', code];
  const asUser = { ...home, env } as TemporaryHome;
  expect(await runInProcess(args, { home: asUser, cwd: join(home.dir, 'work') })).toMatchObject({ exitCode: 0 });
  expect(await run(['languages'])).toMatchObject({ stdout: expect.stringContaining(`${code}\t${name}\tinstalled`) });
});
