import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beside, openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
let beside: Beside;
let unique = 0;
const make = (text: string) => `%PDF-1.4 ${text} N=${unique++}`;
const marker = () => join(running.dataDir, `marker-${unique++}`);
const countRuns = (path: string) => readFileSync(path, 'utf8').trim().split('\n').length;

beforeAll(async () => {
  process.env.OCR_PLANTED_SECRET = 'planted';
  process.env.HTTPS_PROXY = 'http://proxy.invalid';
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    // A process needs this long to start on a busy machine; with less, a neighbour would seem idle.
    config: { documentIdleTimeoutMs: 2_000, documentTimeoutMs: 5_000, documentMemoryBytes: 400 * 1024 * 1024 },
  });
  beside = await openBeside(running);
});
afterAll(async () => {
  delete process.env.OCR_PLANTED_SECRET;
  delete process.env.HTTPS_PROXY;
  await beside.close();
  await running.remove();
});

test.each([
  ['crash', 'crash', 'INTERNAL', 3, /in 3 attempts: its process ended/],
  ['hang', 'hang', 'INVALID_DOCUMENT', 1, /no page was done within 2 s/],
  ['take all memory', 'memory', 'INVALID_DOCUMENT', 1, /it needs more than 400 MiB of memory/],
])(
  'a document that makes its process %s → an error after its attempts, billed if it is the document’s; neighbours are untouched',
  async (_, what, code, attempts, message) => {
    const path = marker();
    const organisation = await beside.add();
    const [hostile, ...neighbours] = await Promise.all([
      organisation.submit(make(`DO=${what} ALWAYS=1 MARKER=${path}`)),
      ...Array.from({ length: 4 }, () => running.submit(make('TEXT=fine'))),
    ]);
    expect(hostile.json.error, hostile.text).toMatchObject({ code, retryable: false });
    expect(hostile.json.error.message).toMatch(message);
    expect(countRuns(path)).toBe(attempts);
    expect(await beside.countUsage(organisation.id)).toBe(code === 'INTERNAL' ? 0 : 1);
    for (const neighbour of neighbours) expect(neighbour.json.result, neighbour.text).toEqual({ text: 'fine' });
    expect(running.listBlobs()).toEqual([]);
  },
);

test('a document that fails once → read at the second attempt', async () => {
  const path = marker();
  const answer = await running.submit(make(`DO=crash MARKER=${path} TEXT=second`));
  expect(answer.json.result).toEqual({ text: 'second' });
  expect(countRuns(path)).toBe(2);
});

test('a crash during the page count → INVALID_DOCUMENT', async () => {
  const answer = await running.submit(make('COUNT=crash'));
  expect(answer.json.error.code).toBe('INVALID_DOCUMENT');
});

test('a fault of the service → INTERNAL at once, without details', async () => {
  const path = marker();
  const answer = await running.submit(make(`DO=fault MARKER=${path}`));
  expect(answer.status).toBe(500);
  expect(answer.json.error.code).toBe('INTERNAL');
  expect(answer.text).not.toContain('secret');
  expect(countRuns(path)).toBe(1);
});

test('the environment of a process → without secrets', async () => {
  const answer = await running.submit(make('DO=environment'));
  const environment = JSON.parse(answer.json.result.text);
  expect(environment.OMP_THREAD_LIMIT).toBe('1');
  const names = Object.keys(environment).filter((name) => /OCR_|PROXY|KEY|TOKEN/i.test(name));
  // The folders of installed languages are no secret; the variable is there where a folder is.
  expect(names.filter((name) => name !== 'OCR_LANGUAGE_FOLDERS')).toEqual([]);
});

test('children of a process → end with it', async () => {
  const pids = join(running.dataDir, 'pids');
  await running.submit(make(`DO=helper ALWAYS=1 PIDS=${pids}`));
  const helpers = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  expect(helpers.length).toBeGreaterThan(0);
  await expect.poll(() => helpers.filter(isRunning)).toEqual([]);
});

function isRunning(pid: number): boolean {
  try {
    // A zombie that nobody reaps has no command line.
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}

test.each([
  ['TEXT_EXTRACTION', Math.min(2, availableParallelism())],
  ['BARCODE_READING', 1],
])('a document of %s → as many cores as its memory allows', async (name, most) => {
  const { json } = await running.submit(make('DO=parallelism'), { function: name });
  expect(json.result).toEqual({ text: String(most) });
});
