import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.js';
import type { Submission, SubmissionRecord } from '../../../src/ledger/record.js';
import { lockText } from '../../../src/system/make-lock.js';
import { until } from '../../support/until.js';

const DIST = fileURLToPath(new URL('../../../dist/ledger/ledger.js', import.meta.url));
const DAY_MS = 86_400_000;

let stateDir: string;
let debugged: string[];
let nowMs: number;
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), 'ocr-ledger-')), 'state');
  debugged = [];
  nowMs = Date.parse('2026-01-01T00:00:00Z');
});
afterEach(() => rmSync(join(stateDir, '..'), { recursive: true, force: true }));

const newest = (records: Iterable<SubmissionRecord>) => [...records][0];
const open = (): Ledger => openLedger({ stateDir, now: () => nowMs, debug: (message) => debugged.push(message) });
/** The files of a directory without the mark of this process, which stays until it ends. */
const files = (directory: 'open' | 'done') =>
  readdirSync(join(stateDir, 'submissions', directory)).filter((name) => name !== `${lockText()}.tmp`);

function submission(changes: Partial<Submission> = {}): Submission {
  return {
    input: { name: 'a.pdf', sha256: 'a'.repeat(64), sizeBytes: 3 },
    function: 'F',
    args: {},
    serverId: 'https://s',
    profile: 'p',
    ...changes,
  };
}

test('a submission → on disk before it is sent, readable by its owner alone', async () => {
  const { record, isJoined } = await open().begin(submission());
  expect(isJoined).toBe(false);
  expect(record).toMatchObject({ status: 'sending', createdAt: '2026-01-01T00:00:00.000Z', function: 'F' });
  const [name = ''] = files('open');
  const path = join(stateDir, 'submissions', 'open', name);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(record);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(stateDir, 'submissions', 'open')).mode & 0o777).toBe(0o700);
});

test('the same submission again, with another file name → joins the first, with its Idempotency-Key', async () => {
  const first = await open().begin(submission());
  const again = await open().begin(submission({ input: { ...submission().input, name: 'moved.pdf' } }));
  expect(again.isJoined).toBe(true);
  expect(again.record.id).toBe(first.record.id);
  expect(again.record.idempotencyKey).toBe(first.record.idempotencyKey);
});

test.each<[string, Partial<Submission>]>([
  ['other bytes', { input: { name: 'a.pdf', sha256: 'b'.repeat(64), sizeBytes: 3 } }],
  ['another function', { function: 'G' }],
  ['other arguments', { args: { x: 1 } }],
  ['another server', { serverId: 'https://t' }],
])('%s → another submission', async (_, changes) => {
  const first = await open().begin(submission());
  const other = await open().begin(submission(changes));
  expect(other.isJoined).toBe(false);
  expect(other.record.idempotencyKey).not.toBe(first.record.idempotencyKey);
});

test('arguments in another order → the same submission', async () => {
  await open().begin(submission({ args: { x: 1, y: { a: 1, b: 2 } } }));
  expect((await open().begin(submission({ args: { y: { b: 2, a: 1 }, x: 1 } }))).isJoined).toBe(true);
});

test('a recorded job id → found by another process', async () => {
  const ledger = open();
  const { record } = await ledger.begin(submission());
  await ledger.update(record, { jobId: 'job_1', status: 'queued' });
  expect(newest(open().findJobs('job_1'))).toMatchObject({ id: record.id, status: 'queued' });
  expect((await open().begin(submission())).record.jobId).toBe('job_1');
  expect(newest(open().findJobs('job_2'))).toBeUndefined();
});

test('a request id → its record, finished or not; the same id in two records → the newer one', async () => {
  const ledger = open();
  const first = await ledger.update((await ledger.begin(submission())).record, { requestId: 'req_"1"' });
  expect(newest(open().findRequests('req_"1"'))).toMatchObject({ id: first.id });
  await ledger.finish(first, { status: 'completed' });
  expect(newest(open().findRequests('req_"1"'))).toMatchObject({ id: first.id, status: 'completed' });
  nowMs += 1000;
  const second = await ledger.update((await ledger.begin(submission())).record, { requestId: 'req_"1"' });
  await ledger.finish(second, { status: 'completed' });
  expect(newest(open().findRequests('req_"1"'))).toMatchObject({ id: second.id });
  // Neither a part of an id, nor another field that holds it.
  expect(newest(open().findRequests('req_'))).toBeUndefined();
  expect(newest(open().findJobs('req_"1"'))).toBeUndefined();
});

test('the same submission after completion → a new record; the finished one stays', async () => {
  const ledger = open();
  const { record } = await ledger.begin(submission());
  const updated = await ledger.update(record, { jobId: 'job_1', status: 'queued' });
  await ledger.finish(updated, { status: 'completed', meta: { pageCount: 2 } });
  expect(files('open')).toEqual([]);
  const next = await open().begin(submission());
  expect(next.isJoined).toBe(false);
  expect(next.record.id).not.toBe(record.id);
  expect(newest(open().findJobs('job_1'))).toMatchObject({ status: 'completed', meta: { pageCount: 2 } });
});

test('--fresh beside an unfinished submission → a second one; both are recorded to their ends', async () => {
  const ledger = open();
  const first = await ledger.begin(submission());
  const fresh = await ledger.begin(submission(), { isFresh: true });
  expect(fresh.record.idempotencyKey).not.toBe(first.record.idempotencyKey);
  const one = await ledger.update(first.record, { jobId: 'job_1' });
  const two = await ledger.update(fresh.record, { jobId: 'job_2' });
  expect((await ledger.list({ unfinishedOnly: true })).map(({ jobId }) => jobId).sort()).toEqual(['job_1', 'job_2']);
  await ledger.finish(two, { status: 'completed' });
  expect((await ledger.list({ unfinishedOnly: true })).map(({ jobId }) => jobId)).toEqual(['job_1']);
  await ledger.finish(one, { status: 'failed', error: { code: 'X', message: 'x' } });
  expect((await ledger.list()).map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
});

test('a late update after another process finished the record and began a new one → the new record stays', async () => {
  const [a, b] = [open(), open()];
  const first = await a.begin(submission());
  const joined = await b.begin(submission());
  await a.finish(first.record, { status: 'completed' });
  const anew = await a.begin(submission());
  await b.update(joined.record, { jobId: 'job_late' });
  expect(newest(a.findJobs('job_late'))?.id).toBe(first.record.id);
  expect((await a.list({ unfinishedOnly: true })).map(({ id }) => id)).toContain(anew.record.id);
});

test('cut and foreign files → skipped and named in --debug', async () => {
  const ledger = open();
  const { record } = await ledger.begin(submission());
  const directory = join(stateDir, 'submissions', 'open');
  const own = readFileSync(join(directory, files('open')[0] ?? ''), 'utf8');
  writeFileSync(join(directory, 'cut.json'), own.slice(0, 50));
  writeFileSync(join(directory, 'foreign.json'), '{"some":"thing"}');
  writeFileSync(join(directory, 'later.json'), own.replace('"formatVersion": 1', '"formatVersion": 99'));
  writeFileSync(join(directory, 'note.txt'), 'x');
  mkdirSync(join(directory, 'directory.json'));
  expect((await ledger.list()).map(({ id }) => id)).toEqual([record.id]);
  for (const name of ['cut.json', 'foreign.json', 'later.json', 'directory.json']) {
    expect(debugged.join('\n')).toContain(name);
  }
  expect((await ledger.begin(submission())).isJoined).toBe(true);
});

test('a record that a crash cut → the same submission begins anew', async () => {
  await open().begin(submission());
  const path = join(stateDir, 'submissions', 'open', files('open')[0] ?? '');
  writeFileSync(path, '{"cut');
  const { isJoined } = await open().begin(submission());
  expect(isJoined).toBe(false);
  expect((await open().begin(submission())).isJoined).toBe(true);
});

test('an answer → written once: before delivery the same submission joins, afterwards the record is only moved', async () => {
  const ledger = open();
  const inodeOf = (directory: 'open' | 'done') => {
    const [name = ''] = files(directory).filter((file) => file.endsWith('.json'));
    return statSync(join(stateDir, 'submissions', directory, name)).ino;
  };
  const answer = { status: 'completed', requestId: 'req_1', meta: { pageCount: 2 }, error: undefined };
  const { record } = await ledger.begin(submission());
  nowMs += 1000;
  const answered = await ledger.update(record, { httpStatus: 200, ...answer }, { isSynced: false });
  const written = inodeOf('open');
  expect(newest(ledger.findRequests('req_1'))?.finishedAt).toBeUndefined();
  nowMs += 1000;
  await ledger.finish(answered, answer);
  expect(inodeOf('done')).toBe(written);
  expect(newest(ledger.findRequests('req_1'))).toEqual({ ...answered, finishedAt: '2026-01-01T00:00:01.000Z' });

  // Facts that come only with the end are written.
  const other = await ledger.begin(submission());
  expect(other.isJoined).toBe(false);
  const joined = await ledger.update(other.record, { status: 'completed', requestId: 'req_2' }, { isSynced: false });
  expect(await ledger.begin(submission())).toMatchObject({ isJoined: true, record: { id: joined.id } });
  nowMs += 1000;
  await ledger.finish(joined, { status: 'completed', meta: { pageCount: 3 } });
  expect(newest(ledger.findRequests('req_2'))).toMatchObject({
    meta: { pageCount: 3 },
    finishedAt: '2026-01-01T00:00:03.000Z',
  });
});

test('a state directory that cannot be made → STATE_UNWRITABLE before anything is sent', async () => {
  mkdirSync(join(stateDir, '..'), { recursive: true });
  writeFileSync(stateDir, 'a file in its place');
  await expect(open().begin(submission())).rejects.toMatchObject({
    code: 'STATE_UNWRITABLE',
    exitCode: 2,
    message: expect.stringMatching(/Nothing was sent/),
    hint: expect.stringMatching(/^Set OCR_STATE_DIR .*; OCR_CONFIG_DIR and OCR_DATA_DIR too/),
  });
});

test('a record that is forgotten, unfinished or finished → gone', async () => {
  const ledger = open();
  const first = await ledger.update((await ledger.begin(submission())).record, { jobId: 'job_1' });
  await ledger.forget(first);
  expect(newest(ledger.findJobs('job_1'))).toBeUndefined();
  const second = await ledger.update((await ledger.begin(submission())).record, { jobId: 'job_2' });
  await ledger.finish(second, { status: 'completed' });
  await ledger.forget(second);
  expect(await ledger.list()).toEqual([]);
});

test('a withdrawn submission → no record, unless an equal command has joined it', async () => {
  const ledger = open();
  await ledger.withdraw((await ledger.begin(submission())).record);
  expect(await ledger.list()).toEqual([]);
  const { record } = await ledger.begin(submission());
  nowMs += 1;
  const joined = await open().begin(submission());
  expect(joined.isJoined).toBe(true);
  await ledger.withdraw(record);
  await open().update(joined.record, { jobId: 'job_1' });
  await ledger.withdraw(record);
  expect(newest(ledger.findJobs('job_1'))).toMatchObject({ id: record.id });
});

test('records older than 90 days → removed when finished, kept when not', async () => {
  const ledger = open();
  await ledger.finish((await ledger.begin(submission())).record, { status: 'completed' });
  await ledger.begin(submission({ function: 'UNFINISHED' }));
  nowMs += 89 * DAY_MS;
  await ledger.finish((await ledger.begin(submission())).record, { status: 'completed' });
  expect(await ledger.list()).toHaveLength(3);
  nowMs += 2 * DAY_MS;
  await ledger.finish((await ledger.begin(submission())).record, { status: 'completed' });
  expect((await ledger.list()).map(({ function: id }) => id).sort()).toEqual(['F', 'F', 'UNFINISHED']);
});

test('temporary files of a killed process → removed after a day', async () => {
  const ledger = open();
  const { record } = await ledger.begin(submission());
  const [old, recent] = ['old.json.1-abcd.tmp', 'recent.json.2-abcd.tmp'];
  for (const name of [old, recent]) writeFileSync(join(stateDir, 'submissions', 'open', name), '{');
  utimesSync(join(stateDir, 'submissions', 'open', old), 1, nowMs / 1000 - 90_000);
  utimesSync(join(stateDir, 'submissions', 'open', recent), 1, nowMs / 1000 - 10);
  await ledger.finish(record, { status: 'completed' });
  expect(files('open')).toEqual([recent]);
});

/** A process of its own that submits and is told where to stop. */
function child(steps: string) {
  const code = `
    import { openLedger } from ${JSON.stringify(DIST)};
    const ledger = openLedger({ stateDir: ${JSON.stringify(stateDir)}, now: Date.now, debug() {} });
    const submission = (name, fn) => ({ input: { name, sha256: 'a'.repeat(64), sizeBytes: 1 }, function: fn, args: {}, serverId: 's', profile: 'p' });
    const say = (text) => process.stdout.write(text + '\\n');
    ${steps}`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('twelve processes that write at once → no record is lost', async () => {
  const children = Array.from({ length: 12 }, (_, i) =>
    child(`for (let j = 0; j < 10; j++) {
      const { record } = await ledger.begin(submission('n', 'F${i}-' + j));
      const updated = await ledger.update(record, { jobId: 'job_${i}_' + j });
      if (j % 2 === 0) await ledger.finish(updated, { status: 'completed' });
    }`),
  );
  const codes = await Promise.all(children.map(async (process) => (await once(process, 'exit'))[0] as number));
  expect(codes).toEqual(Array(12).fill(0));
  const records = await open().list();
  expect(new Set(records.map(({ jobId }) => jobId)).size).toBe(120);
  expect(records.filter(({ status }) => status === 'completed')).toHaveLength(60);
  expect([...files('open'), ...files('done')].filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('twelve processes that begin the same submission at once → one begins it, the others join', async () => {
  const children = Array.from({ length: 12 }, () =>
    child(
      `const { record, isJoined } = await ledger.begin(submission('n', 'F')); say(isJoined + ' ' + record.idempotencyKey);`,
    ),
  );
  const answers = await Promise.all(
    children.map(async ({ stdout }) => {
      let text = '';
      for await (const chunk of stdout) text += chunk;
      return text.trim().split(' ');
    }),
  );
  expect(answers.filter(([isJoined]) => isJoined === 'false')).toHaveLength(1);
  expect(new Set(answers.map(([, key]) => key)).size).toBe(1);
});

test.each<[string, string, { status: string; jobId?: string }]>([
  ['once begun', `await ledger.begin(submission('n', 'F')); say('here');`, { status: 'sending' }],
  [
    'once the job is noted',
    `const { record } = await ledger.begin(submission('n', 'F')); await ledger.update(record, { jobId: 'job_1', status: 'queued' }); say('here');`,
    { status: 'queued', jobId: 'job_1' },
  ],
])('kill -9 %s → the record is still there', async (_, steps, expected) => {
  const process = child(`${steps} setInterval(() => {}, 1000);`);
  await once(process.stdout, 'data');
  process.kill('SIGKILL');
  await once(process, 'exit');
  const records = await open().list({ unfinishedOnly: true });
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject(expected);
});

test('kill -9 during writes → every recorded job is readable', async () => {
  const process = child(`
    for (let i = 0; ; i++) {
      const { record } = await ledger.begin(submission('n', 'F' + i));
      const updated = await ledger.update(record, { jobId: 'job_' + i });
      say('job_' + i);
      if (i % 3 === 0) { await ledger.finish(updated, { status: 'completed' }); }
    }`);
  let said = '';
  process.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await once(process.stdout, 'data');
  await until(() => said.split('\n').length > 5);
  process.kill('SIGKILL');
  await once(process, 'close');
  const noted = said.split('\n').slice(0, -1);
  expect(noted.length).toBeGreaterThan(2);
  const known = new Set((await open().list()).map(({ jobId }) => jobId));
  for (const jobId of noted) expect(known).toContain(jobId);
  expect(existsSync(stateDir)).toBe(true);
});

test('commands that join while another one records its job id → the job id stays', async () => {
  for (let round = 0; round < 20; round++) {
    const own = open();
    const { record } = await own.begin(submission({ function: `F_${round}` }));
    const joining = Array.from({ length: 6 }, () => open().begin(submission({ function: `F_${round}` })));
    await own.update(record, { jobId: `job_${round}` });
    await Promise.all(joining);
    expect(newest(own.findJobs(`job_${round}`))?.id).toBe(record.id);
  }
});

test('a refusal of one command → the job of an equal command stays open', async () => {
  const [a, b] = [open(), open()];
  const first = await a.begin(submission());
  const joined = await b.begin(submission());
  await b.update(joined.record, { jobId: 'job_taken' });
  await a.finish(first.record, { status: 'failed' });
  expect(await a.list({ unfinishedOnly: true })).toMatchObject([{ jobId: 'job_taken' }]);
});

test('an interrupted upload → sent again by its own profile alone; a job → joined by other profiles too', async () => {
  const first = await open().begin(submission());
  const other = await open().begin(submission({ profile: 'q' }));
  expect(other).toMatchObject({ isJoined: false, record: { profile: 'q' } });
  expect(other.record.idempotencyKey).not.toBe(first.record.idempotencyKey);
  // Each finds its own again, whichever has its job by now.
  await open().update(first.record, { jobId: 'job_1', status: 'queued' });
  expect((await open().begin(submission({ profile: 'q' }))).record.id).toBe(other.record.id);
  expect((await open().begin(submission())).record.id).toBe(first.record.id);
  expect(await open().begin(submission({ profile: 'r' }))).toMatchObject({
    isJoined: true,
    record: { jobId: 'job_1' },
  });
  expect(files('open').filter((name) => name.endsWith('.json'))).toHaveLength(2);
});

test('a state directory that cannot exist → an empty list', async () => {
  // A home that is /dev/null has this effect.
  mkdirSync(join(stateDir, '..'), { recursive: true });
  writeFileSync(stateDir, '');
  expect(await open().list()).toEqual([]);
});
