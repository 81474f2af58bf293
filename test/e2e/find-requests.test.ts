import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import type { ContractServer } from '../support/contract-server.js';
import { runInProcess, startInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const set = await setUpClient({ files: { 'Invoice May.pdf': '%PDF-1.4 a', 'report.pdf': '%PDF-1.4 b' } });
  ({ home, server } = set);
  return set.tearDown;
});

const run = (...args: string[]) => runInProcess(args, { home, env: server.env });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
const namesOf = (cards: Array<{ input: { name: string } }>) => cards.map(({ input }) => input.name);

test('--input → requests by a part of the name, in any case, or by SHA-256', async () => {
  await run('extract', 'Invoice May.pdf', 'report.pdf');
  expect(namesOf(await json('requests', '--input', 'invoice'))).toEqual(['Invoice May.pdf']);
  expect(namesOf(await json('requests', 'list', '--input', '.pdf'))).toHaveLength(2);
  expect(await json('requests', '--input', 'letter')).toEqual([]);
  const sha256 = createHash('sha256').update('%PDF-1.4 b').digest('hex');
  // A whole hash needs no prefix; the beginning of one is a part of a name.
  const hashes = [sha256, ...[sha256, sha256.slice(0, 12), sha256.toUpperCase()].map((hash) => `sha256:${hash}`)];
  for (const hash of hashes) expect(namesOf(await json('requests', '--input', hash)), hash).toEqual(['report.pdf']);
  expect(await json('requests', '--input', sha256.slice(0, 12))).toEqual([]);
  expect(namesOf(await json('requests', '--input', 'report', '--since', '1h'))).toEqual(['report.pdf']);
  for (const wrong of ['sha256:', 'sha256:xyz', ' ', '']) {
    const refused = await run('requests', '--input', wrong);
    expect(refused.exitCode, wrong).toBe(2);
  }
  // The flag of all commands has nothing to do with it.
  expect((await run('requests', '--no-input')).stdout.split('\n')).toHaveLength(3);
});

test('equal documents of one batch, which share a request → found by either name', async () => {
  writeFileSync(join(home.dir, 'copy of May.pdf'), '%PDF-1.4 a');
  server.pollsUntilDone = 1_000;
  await run('extract', '--no-wait', 'Invoice May.pdf', 'copy of May.pdf');
  expect(server.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  for (const name of ['invoice', 'copy of'])
    expect(await json('requests', '--input', name)).toMatchObject([
      { input: { name: 'Invoice May.pdf', otherNames: ['copy of May.pdf'] } },
    ]);
  expect(await json('jobs')).toMatchObject([{ input: 'Invoice May.pdf', otherInputs: ['copy of May.pdf'] }]);
  expect((await run('jobs')).stdout).toContain('\tInvoice May.pdf, copy of May.pdf\n');
  const [{ requestId }] = (await json('requests')) as [{ requestId: string }];
  expect((await run('requests', 'get', requestId)).stdout).toContain('Also sent as\tcopy of May.pdf\n');
  const redacted = await run('requests', 'get', requestId, '--redact', '--json');
  expect(redacted.stdout).not.toContain('May.pdf');
  // The same command once more adds no name.
  await run('extract', '--no-wait', 'Invoice May.pdf', 'copy of May.pdf');
  expect((await json('jobs'))[0].otherInputs).toEqual(['copy of May.pdf']);
});

test('a shortened id → found in the ledger; one that several have → 2 with the candidates', async () => {
  await run('extract', '--no-wait', 'Invoice May.pdf', 'report.pdf');
  const [second, first] = (await json('jobs')) as Array<{ jobId: string; requestId: string }>;
  // The server's ids end in 1 and 2.
  expect((await run('jobs', 'get', 'job_')).stderr).toContain('Several ids begin with job_: ');
  const ambiguous = await run('jobs', 'get', 'job_0');
  expect(ambiguous.exitCode).toBe(2);
  expect(ambiguous.stderr).toContain('Several ids begin with job_0: ');
  for (const job of [first, second]) expect(ambiguous.stderr).toContain(job?.jobId);
  const inJson = await run('requests', 'get', 'req_0', '--json');
  expect(inJson.exitCode).toBe(2);
  expect(JSON.parse(inJson.stdout)).toMatchObject({ error: { code: 'AMBIGUOUS_ID' } });
  for (const command of ['wait', 'result', 'forget']) expect((await run('jobs', command, 'job_0')).exitCode).toBe(2);
  expect((await run('requests', 'forget', 'req_0')).exitCode).toBe(2);
  expect(await json('jobs')).toHaveLength(2);

  await run('jobs', 'forget', second?.jobId ?? '');
  for (const id of ['job_0', 'JOB_00', '000'])
    expect(await json('jobs', 'get', id), id).toMatchObject({ jobId: first?.jobId });
  for (const id of ['req_0', 'Req_000'])
    expect(await json('requests', 'get', id), id).toMatchObject({ requestId: first?.requestId, source: 'ledger' });
  // The whole id is asked for.
  expect(server.calls.at(-1)?.path).toBe(`/v1/ocr/jobs/${first?.jobId}`);
  expect((await run('jobs', 'wait', 'job_0')).stdout).toBe('text of %PDF-1.4 a\n');
  // A prefix alone is no id, also where there is only one job.
  const calls = server.calls.length;
  for (const id of ['job_', 'job', 'JOB_'])
    for (const command of ['get', 'wait', 'result', 'cancel', 'delete', 'forget'])
      expect((await run('jobs', command, id)).exitCode, `${command} ${id}`).toBe(2);
  for (const command of ['get', 'forget']) expect((await run('requests', command, 'req_')).exitCode).toBe(2);
  for (const [noun, id] of [
    ['requests', 'job_'],
    ['jobs', 'req_'],
  ] as const)
    expect((await run(noun, 'get', id)).stderr).toContain(`"${id}" is only the beginning of an id`);
  expect(server.calls).toHaveLength(calls);
});

test('--follow → what was sent, then what is sent, one line each; Ctrl-C ends it with 130', async () => {
  await run('extract', 'report.pdf');
  const following = startInProcess(['requests', '--follow', '--json'], { home, env: server.env });
  await until(() => following.stdout.includes('report.pdf'), 'the first request');
  await run('extract', 'Invoice May.pdf');
  await until(() => following.stdout.includes('Invoice May.pdf'), 'the next request');
  writeFileSync(join(home.dir, 'other.pdf'), '%PDF-1.4 c');
  await run('extract', '--no-wait', 'other.pdf');
  await until(() => following.stdout.includes('"queued"'), 'a job');
  await run('jobs', 'wait', '--all');
  await until(() => following.stdout.split('other.pdf').length === 3, 'the end of the job');
  following.kill('SIGINT');
  const { exitCode, stdout } = await following;
  expect(exitCode).toBe(130);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(namesOf(lines.filter((line) => 'input' in line))).toEqual([
    'report.pdf',
    'Invoice May.pdf',
    'other.pdf',
    'other.pdf',
  ]);
});

test('--follow with filters, as text → the columns of the list, and nothing else', async () => {
  await run('extract', 'report.pdf');
  const following = startInProcess(['requests', 'list', '--follow', '--input', 'invoice'], { home, env: server.env });
  await run('extract', 'Invoice May.pdf', '--fresh');
  await until(() => following.stdout.includes('Invoice May.pdf'), 'the request');
  following.kill('SIGINT');
  const { exitCode, stdout } = await following;
  expect(exitCode).toBe(130);
  expect(stdout).toMatch(/^req_\w+\tcompleted\t200\tTEXT_EXTRACTION\t\S+Z\tInvoice May\.pdf\t\n$/);
});
