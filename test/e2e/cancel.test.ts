import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ContractServer, failure, startContractServer } from '../support/contract-server.js';
import { openTerminal, type Terminal } from '../support/pty.js';
import { runInProcess, startInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  [home, server] = [createHome(), await startContractServer({ pollsUntilDone: 1_000 })];
  server.extensions = ['jobs.delete'];
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) writeFileSync(join(home.dir, name), name);
});
afterEach(async () => {
  await server.close();
  home.remove();
});

const run = (...args: string[]) => runInProcess(args, { home, env: server.env });
/** Starts a command that the clock, which skips waits, does not bring to the end of its patience before the test ends it. */
const start = (...args: string[]) => startInProcess([...args, '--wait-timeout', '10000h'], { home, env: server.env });
const submit = async (...files: string[]) => (await run('extract', '--no-wait', ...files)).stdout.trim().split('\n');
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const deletes = () =>
  server.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1));
const unfinished = async () => JSON.parse((await run('jobs', '--unfinished', '--json')).stdout).length;
const isWaiting = () =>
  until(() => server.calls.filter(({ path }) => path.includes('/jobs/')).length >= server.jobs.size);
const JOB_ENDED = { status: 'failed', error: { code: 'CANCELLED', retryable: false } };

describe('ocr jobs cancel', () => {
  test('unfinished jobs → cancelled, one line each; the record ends; wait → 1', async () => {
    const [first = '', second = ''] = await submit('a.pdf', 'b.pdf');
    expect(await run('jobs', 'cancel', first)).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: `Cancelled ${first}\n`,
    });
    const both = await run('jobs', 'cancel', first, second, '--json');
    expect(both.exitCode).toBe(0);
    expect(linesOf(both.stdout)).toMatchObject([
      { jobId: first, ...JOB_ENDED, cancelled: true },
      { jobId: second, ...JOB_ENDED, cancelled: true },
    ]);
    expect(await unfinished()).toBe(0);
    expect(await run('jobs', 'wait', second)).toMatchObject({ exitCode: 1, stdout: '' });
    // The job is not joined any more.
    expect(await submit('b.pdf')).not.toContain(second);
  });

  test('a job of another machine → cancelled', async () => {
    const [jobId = ''] = await submit('a.pdf');
    await run('jobs', 'forget', jobId);
    expect((await run('jobs', 'cancel', jobId)).exitCode).toBe(0);
    expect(deletes()).toEqual([jobId]);
  });

  test('an id typed in part, of a finished job → the whole id in the JSON of its error', async () => {
    const [jobId = ''] = await submit('a.pdf');
    server.pollsUntilDone = 1;
    const { exitCode, stdout } = await run('jobs', 'cancel', jobId.slice(0, 20), '--json');
    server.pollsUntilDone = 1_000;
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ jobId, error: { message: expect.stringContaining(jobId) } });
  });

  test('a finished job → 1, without a DELETE, its result kept; an unknown one → 5; several → 8', async () => {
    const [first = '', second = ''] = await submit('a.pdf', 'b.pdf');
    server.pollsUntilDone = 1;
    const finished = await run('jobs', 'cancel', first);
    expect(finished).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`Try: ocr jobs get ${first}\n`) });
    expect(deletes()).toEqual([]);
    expect((await run('jobs', 'result', first)).exitCode).toBe(0);
    server.pollsUntilDone = 1_000;
    const mixed = await run('jobs', 'cancel', 'job_none', second, '--json');
    expect(mixed.exitCode).toBe(8);
    expect(linesOf(mixed.stdout)).toMatchObject([
      { jobId: 'job_none', error: { code: 'NOT_FOUND' } },
      { jobId: second, cancelled: true },
    ]);
    expect((await run('jobs', 'cancel', 'job_none')).exitCode).toBe(5);
    expect((await run('jobs', 'cancel', 'req_1')).exitCode).toBe(2);
  });

  test('--all → every unfinished submission to the service in use, and no other', async () => {
    const other = await startContractServer({ pollsUntilDone: 1_000 });
    try {
      other.extensions = ['jobs.delete'];
      await runInProcess(['extract', '--no-wait', 'a.pdf'], { home, env: other.env });
      const jobIds = await submit('a.pdf', 'b.pdf', 'c.pdf');
      const all = await run('jobs', 'cancel', '--all', '--json');
      expect(all.exitCode).toBe(0);
      expect(linesOf(all.stdout).map(({ jobId }) => jobId)).toEqual(jobIds);
      expect(other.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
      expect(await run('jobs', 'cancel', '--all')).toMatchObject({
        exitCode: 0,
        stderr: 'There are no unfinished jobs.\n',
      });
    } finally {
      await other.close();
    }
  });

  test('--all with a job that has ended meanwhile → 0, its result kept', async () => {
    const [jobId = ''] = await submit('a.pdf');
    server.pollsUntilDone = 1;
    const all = await run('jobs', 'cancel', '--all', '--json');
    expect(all).toMatchObject({ exitCode: 0 });
    expect(linesOf(all.stdout)).toEqual([{ jobId, cancelled: false }]);
    expect((await run('jobs', 'result', jobId)).exitCode).toBe(0);
  });

  test('a support key → 4: it says that it only reads, and who can cancel', async () => {
    const refusal = 'A support key reads requests and jobs; it may do nothing else';
    server.script.job = [{ body: { jobId: 'job_1', status: 'processing' } }, failure(403, 'FORBIDDEN', refusal, false)];
    const { exitCode, stdout, stderr } = await run('jobs', 'cancel', 'job_1');
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining(refusal),
      'What it reads: ocr requests get <requestId>, ocr jobs get <jobId>',
      'To send, cancel or delete, take a key of the organisation (--profile or OCR_API_KEY), or ask whoever runs the service.',
      '',
    ]);
  });

  /** Interrupts the upload of a file before its answer; the service takes the document all the same. */
  async function interruptUpload(file: string) {
    server.script.post = [{ stalls: true }];
    const started = start('extract', file);
    const posts = () => server.calls.filter(({ method }) => method === 'POST');
    const before = posts().length;
    await until(() => posts()[before]?.upload !== undefined);
    started.kill('SIGINT');
    expect((await started).exitCode).toBe(130);
  }

  test('--all with a document that had arrived when its command was interrupted → found by its key, and cancelled', async () => {
    await interruptUpload('a.pdf');
    const all = await run('jobs', 'cancel', '--all', '--json');
    const [jobId] = server.jobs.keys();
    expect(all).toMatchObject({ exitCode: 0, stderr: '' });
    expect(linesOf(all.stdout)).toMatchObject([{ jobId, ...JOB_ENDED, cancelled: true }]);
    expect(deletes()).toEqual([jobId]);
    const keys = server.calls.filter(({ method }) => method === 'POST').map((call) => call.headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await run('jobs', 'cancel', '--all')).stderr).toBe('There are no unfinished jobs.\n');
  });

  test('--all with such a document that is done, or changed → left alone; the second is said', async () => {
    await interruptUpload('a.pdf');
    await interruptUpload('b.pdf');
    writeFileSync(join(home.dir, 'b.pdf'), 'another');
    server.pollsUntilDone = undefined;
    server.script.post = [
      { body: { requestId: 'req_1', function: 'TEXT_EXTRACTION', result: { text: '' }, meta: {} } },
    ];
    const all = await run('jobs', 'cancel', '--all');
    expect(all).toMatchObject({ exitCode: 0, stdout: '' });
    expect(all.stderr.split('\n')).toEqual([
      '1 upload was interrupted before the answer, and may go on as a job. To find it, then cancel once more:',
      '  ocr extract --no-wait b.pdf',
      'Or leave what was interrupted as it is: ocr requests forget --interrupted',
      '',
    ]);
    expect(linesOf((await run('jobs', 'cancel', '--all', '--json')).stdout)).toEqual([
      { input: 'b.pdf', cancelled: false, next: 'ocr extract --no-wait b.pdf' },
    ]);
    expect(deletes()).toEqual([]);
  });

  test('--all at a service that is away → the upload is said, and stays', async () => {
    await interruptUpload('a.pdf');
    await server.close();
    const all = await run('jobs', 'cancel', '--all');
    expect(all).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('  ocr extract --no-wait a.pdf\n') });
  });

  test.each([
    [['jobs', 'cancel'], /missing argument 'jobId', or --all/],
    [['jobs', 'cancel', '--all', 'job_1'], /takes no jobId/],
    [['jobs', 'delete'], /missing required argument 'jobId'/],
  ])('%j → 2', async (args, message) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
  });
});

describe('ocr jobs delete', () => {
  test('a finished job → deleted; an unfinished one → cancelled', async () => {
    const [finished = '', unfinishedJob = ''] = await submit('a.pdf', 'b.pdf');
    server.answerPoll = ({ jobId }) => (jobId === finished ? undefined : { body: { jobId, status: 'processing' } });
    const job = server.jobs.get(finished);
    if (job !== undefined) job.polls = 1_000;
    expect(await run('jobs', 'delete', finished)).toMatchObject({ exitCode: 0, stderr: `Deleted ${finished}\n` });
    const again = await run('jobs', 'delete', finished, unfinishedJob, '--json');
    expect(again.exitCode).toBe(8);
    expect(linesOf(again.stdout)).toMatchObject([
      { jobId: finished, error: { code: 'NOT_FOUND' } },
      { jobId: unfinishedJob, ...JOB_ENDED, deleted: true },
    ]);
    expect(again.stdout).not.toContain('"result"');
    expect(await unfinished()).toBe(0);
  });

  test('a job whose result was printed → gone in the list', async () => {
    const [jobId = ''] = await submit('a.pdf');
    server.pollsUntilDone = 1;
    expect(await run('jobs', 'wait', jobId)).toMatchObject({ exitCode: 0 });
    expect((await run('jobs', 'list')).stdout).toContain(`${jobId}\tcompleted\t`);
    expect(await run('jobs', 'delete', jobId)).toMatchObject({ exitCode: 0 });
    expect((await run('jobs', 'list')).stdout).toContain(`${jobId}\tgone\t`);
  });
});

describe('a service without the extension', () => {
  test.each([['cancel'], ['delete']])('jobs %s → 2, and no DELETE', async (command) => {
    const [jobId = ''] = await submit('a.pdf');
    server.extensions = [];
    const { exitCode, stderr } = await run('jobs', command, jobId);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('this service cannot cancel jobs'),
    });
    expect(deletes()).toEqual([]);
  });

  test('extract --cancel-on-interrupt → 2, and nothing is sent', async () => {
    server.extensions = [];
    const { exitCode, stderr } = await run('extract', '--cancel-on-interrupt', 'a.pdf');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('this service cannot cancel jobs'),
    });
    expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

test('forget of an unfinished job → says that it goes on, and how to cancel it', async () => {
  const [first = '', second = ''] = await submit('a.pdf', 'b.pdf');
  const { exitCode, stderr } = await run('jobs', 'forget', first);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/goes on/);
  expect(stderr).toContain(`ocr jobs cancel ${first}\n`);
  expect(JSON.parse((await run('jobs', 'forget', second, '--json')).stdout)).toEqual([
    { jobId: second, forgotten: true, unfinished: true },
  ]);
  server.pollsUntilDone = 1;
  const [third = ''] = await submit('c.pdf');
  await run('jobs', 'wait', third);
  expect(await run('jobs', 'forget', third)).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: `Removed ${third} from the record of this machine\n`,
  });
});

describe('an interrupt', () => {
  test.each([['extract'], ['jobs wait']])('%s → says how to go on and how to cancel', async (command) => {
    const args = command === 'extract' ? ['extract', 'a.pdf'] : ['jobs', 'wait', ...(await submit('a.pdf'))];
    const started = start(...args);
    // The second poll: the first was answered.
    await until(() => server.calls.filter(({ path }) => path.includes('/jobs/')).length > 1);
    started.kill('SIGINT');
    const { exitCode, stderr } = await started;
    const [jobId] = server.jobs.keys();
    expect(exitCode).toBe(130);
    expect(stderr).toBe(
      `ocr: ${command === 'extract' ? 'a.pdf: ' : ''}Job ${jobId} is still running. Resume: ocr jobs wait ${jobId}\nCancel: ocr jobs cancel ${jobId}\n`,
    );
    expect(deletes()).toEqual([]);
  });

  test('a batch → one summary: how to resume and how to cancel all of it', async () => {
    const started = start('extract', 'a.pdf', 'b.pdf');
    await isWaiting();
    await until(() => server.jobs.size === 2 && server.calls.filter(({ path }) => path.includes('/jobs/')).length > 2);
    started.kill('SIGINT');
    const { exitCode, stderr } = await started;
    expect(exitCode).toBe(130);
    const jobIds = ['a.pdf', 'b.pdf'].map((name) => new RegExp(`${name}: Job (\\S+) is`).exec(stderr)?.[1]).join(' ');
    expect(
      stderr.endsWith(
        `ocr: 2 jobs are still running\nResume: ocr jobs wait ${jobIds}\nCancel: ocr jobs cancel ${jobIds}\n`,
      ),
    ).toBe(true);
    expect(stderr.match(/Resume/g)).toHaveLength(1);
  });

  test('a batch with results in files → one way to go on, and how to cancel', async () => {
    const started = start('extract', 'a.pdf', 'b.pdf', '--output-dir', 'out');
    await until(() => server.jobs.size === 2 && server.calls.filter(({ path }) => path.includes('/jobs/')).length > 2);
    started.kill('SIGINT');
    const { stderr } = await started;
    expect(stderr).not.toContain('Resume');
    expect(stderr).toMatch(
      /\nCancel: ocr jobs cancel job_\S+ job_\S+\nFor results in files, run the same command again\.\n$/,
    );
  });

  const CANCELLING: Array<[string, () => Promise<string[]>]> = [
    ['--cancel-on-interrupt', async () => ['--cancel-on-interrupt']],
    [
      'the setting cancel-on-interrupt',
      async () => {
        await run('config', 'set', 'cancel-on-interrupt', 'true');
        return [];
      },
    ],
  ];
  test.each(CANCELLING)('%s → every unfinished job of the batch is cancelled', async (_, setUp) => {
    const flags = await setUp();
    const started = start('extract', 'a.pdf', 'b.pdf', '-c', '2', ...flags);
    await until(() => server.jobs.size === 2 && server.calls.filter(({ path }) => path.includes('/jobs/')).length > 2);
    started.kill('SIGINT');
    const { exitCode, stdout, stderr } = await started;
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
    for (const jobId of server.jobs.keys()) expect(stderr).toContain(`Job ${jobId} was cancelled`);
    expect(stderr).not.toMatch(/Resume|Cancel:|still running|run the same command/i);
    expect(deletes().sort()).toEqual([...server.jobs.keys()].sort());
    expect(await unfinished()).toBe(0);
  });

  test('--cancel-on-interrupt before the answer → the document becomes a job under its key, which is cancelled', async () => {
    server.script.post = [{ stalls: true }];
    const started = start('extract', 'a.pdf', '--cancel-on-interrupt');
    const posts = () => server.calls.filter(({ method }) => method === 'POST');
    await until(() => posts()[0]?.upload !== undefined);
    started.kill('SIGINT');
    const { exitCode, stderr } = await started;
    const [jobId] = server.jobs.keys();
    expect(exitCode).toBe(130);
    expect(stderr).toContain(`Job ${jobId} was cancelled`);
    expect(deletes()).toEqual([jobId]);
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await unfinished()).toBe(0);
  });

  test('an interrupt before the answer → nothing is sent again', async () => {
    server.script.post = [{ stalls: true }];
    const started = start('extract', 'a.pdf');
    const posts = () => server.calls.filter(({ method }) => method === 'POST');
    await until(() => posts()[0]?.upload !== undefined);
    started.kill('SIGINT');
    expect((await started).exitCode).toBe(130);
    expect(posts()).toHaveLength(1);
    expect(deletes()).toEqual([]);
  });

  test('--no-cancel-on-interrupt → overrules the setting', async () => {
    await run('config', 'set', 'cancel-on-interrupt', 'true');
    const started = start('extract', 'a.pdf', '--no-cancel-on-interrupt');
    await until(() => server.calls.some(({ path }) => path.includes('/jobs/')));
    started.kill('SIGINT');
    expect((await started).stderr).toContain('is still running');
    expect(deletes()).toEqual([]);
  });

  test('--cancel-on-interrupt --json → each input has its line with CANCELLED', async () => {
    const started = start('extract', 'a.pdf', 'b.pdf', '--json', '--cancel-on-interrupt');
    await until(() => server.jobs.size === 2 && server.calls.filter(({ path }) => path.includes('/jobs/')).length > 2);
    started.kill('SIGINT');
    const { exitCode, stdout, stderr } = await started;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
    expect(linesOf(stdout)).toMatchObject(
      ['a.pdf', 'b.pdf'].map((input) => ({ input, error: { code: 'CANCELLED', retryable: false } })),
    );
  });

  test('a job that cannot be cancelled → says so, and how to go on', async () => {
    const started = start('extract', 'a.pdf', '--cancel-on-interrupt');
    await until(() => server.calls.some(({ path }) => path.includes('/jobs/')));
    server.answerPoll = () => ({
      status: 403,
      body: { error: { code: 'FORBIDDEN', message: 'No', requestId: 'r', retryable: false } },
    });
    started.kill('SIGINT');
    const { exitCode, stderr } = await started;
    const [jobId] = server.jobs.keys();
    expect(exitCode).toBe(130);
    expect(stderr).toContain(`Job ${jobId} could not be cancelled and goes on: `);
    expect(stderr).toContain(`Resume: ocr jobs wait ${jobId}`);
  });
});

describe('Ctrl-C on a terminal', () => {
  const open = (...args: string[]): Terminal => openTerminal(args, { home, env: server.env });

  test('once → both ways; --cancel-on-interrupt → cancelled', async () => {
    const waiting = open('extract', 'a.pdf');
    await waiting.waitFor(/of 9 pages|page \d+ of 9/);
    waiting.type('\x03');
    expect((await waiting.exited).exitCode).toBe(130);
    const [jobId] = server.jobs.keys();
    expect(waiting.shown).toContain(`Resume: ocr jobs wait ${jobId}`);
    expect(waiting.shown).toContain(`Cancel: ocr jobs cancel ${jobId}`);
    const cancelling = open('extract', 'a.pdf', '--cancel-on-interrupt');
    await cancelling.waitFor(/of 9 pages|page \d+ of 9/);
    cancelling.type('\x03');
    expect((await cancelling.exited).exitCode).toBe(130);
    expect(cancelling.shown).toContain(`Job ${jobId} was cancelled`);
    expect(deletes()).toEqual([jobId]);
  });

  test('twice → ends at once, also while a cancellation hangs', async () => {
    const terminal = open('extract', 'a.pdf', '--cancel-on-interrupt');
    await terminal.waitFor(/of 9 pages|page \d+ of 9/);
    let isAsked = false;
    server.onCall = ({ method }) => {
      isAsked ||= method === 'DELETE';
    };
    server.script.job = [{ body: { status: 'processing' } }, { stalls: true }, { stalls: true }];
    terminal.type('\x03');
    await until(() => isAsked || server.openCalls > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    terminal.type('\x03');
    expect((await terminal.exited).exitCode).toBe(130);
    expect(deletes().length).toBeLessThanOrEqual(1);
  });
});
