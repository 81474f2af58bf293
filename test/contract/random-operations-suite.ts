import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { listEvents } from '../../dist/store/events.js';
import type { Store } from '../../dist/store/store.js';
import { all } from '../../dist/store/unit.js';
import { MAX_ENDPOINTS } from '../../dist/store/webhooks.js';
import { openNewFile } from '../support/stores.js';
import {
  type Answer,
  type Claim,
  createWorld,
  LIMITED,
  OPERATIONS,
  type Operation,
  perform,
  type World,
} from './support/store-operations.js';
import type { Line, Task } from './support/store-process.js';

const PROGRAM = fileURLToPath(new URL('support/store-process.ts', import.meta.url));

export interface SharedRun {
  seed: number;
  processes: number;
  /** Operations of each process, and how many it does at a time. */
  operations: number;
  lanes: number;
  /** True when one of the processes is killed on the way, so that what it did last is unknown. */
  isKilled?: boolean;
}

/** The answers of a run's operations, and the events that its processes followed. */
interface Report {
  answers: Array<{ operation: Operation; answer: Answer }>;
  followed: Array<{ organisationId: string; numbers: number[] }>;
  isKilled: boolean;
}

/** Lets several processes do random operations on one database, then ends the jobs that are left, and checks what came of it. */
export async function checkSharedRun(store: Store, url: string, run: SharedRun): Promise<void> {
  const { seed, processes, operations, lanes, isKilled = false } = run;
  const organisations = [];
  for (const name of ['a', 'b', 'c']) organisations.push(await createOrganisation(store, name, { plan: 'BUSINESS' }));
  const count = processes * operations;
  const [drawn = []] = fc.sample(OPERATIONS(count), { seed, numRuns: 1 });
  const world = createWorld(organisations, drawn);
  const parts = Array.from({ length: processes }, (_, part) => drawn.filter(({ at }) => at % processes === part));
  const lines = (
    await Promise.all(
      parts.map((part, index) => runProcess({ url, world, operations: part, lanes }, isKilled && index === 0)),
    )
  ).flat();
  const report: Report = { answers: [], followed: [], isKilled };
  for (const line of lines)
    if ('numbers' in line) report.followed.push(line);
    else {
      const operation = drawn[line.at] as Operation;
      if ('error' in line) throw new Error(`seed ${seed}: ${JSON.stringify(operation)}\n${line.error}`);
      report.answers.push({ operation, answer: line.answer });
    }
  await endJobs(store, world, report);
  try {
    await checkReport(store, world, report);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  }
}

/** Runs the operations in a process of its own; `isKilled` kills it after half of them. */
async function runProcess(task: Task, isKilled: boolean): Promise<Line[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end(JSON.stringify(task));
  const lines: Line[] = [];
  for await (const text of createInterface(child.stdout)) {
    // The last line of a killed process may be cut.
    if (isKilled && !text.endsWith('}')) continue;
    lines.push(JSON.parse(text) as Line);
    if (isKilled && lines.length >= task.operations.length / 2) child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  expect(signal ?? code).toBe(isKilled ? 'SIGKILL' : 0);
  return lines;
}

async function endJobs(store: Store, world: World, report: Report): Promise<void> {
  const queue = createQueue(store);
  const operation: Operation = {
    ...{ kind: 'work', isShort: false, choice: 'any', steps: [], end: 'complete', at: -1 },
  };
  while ((await queue.countUnfinished()) > 0) {
    // A killed process leaves leases of a minute.
    if (report.isKilled) await queue.releaseAll();
    else await queue.releaseExpired();
    const answer = await perform(store, world, operation);
    expect(answer.kind).not.toBe('lost');
    report.answers.push({ operation, answer });
  }
}

interface JobFacts {
  id: string;
  organisationId: string;
  status: string;
  attempts: number;
  interruptions: number;
  period: string | null;
  args: string;
  errorCode: string | null;
  errorMessage: string | null;
  startedAtMs: number | null;
  deletedAtMs: number | null;
  body: string | null;
}

const JOBS = `SELECT id, organisation_id AS "organisationId", status, attempts, interruptions, usage_period AS period, args,
  error_code AS "errorCode", error_message AS "errorMessage", started_at AS "startedAtMs", deleted_at AS "deletedAtMs", body
  FROM job LEFT JOIN result ON job_id = id ORDER BY id`;

async function checkReport(store: Store, world: World, report: Report): Promise<void> {
  const { answers, isKilled } = report;
  const jobs = await store.read(all<JobFacts>(JOBS));
  const accepted = ofKind(answers, 'accept').filter(({ answer }) => answer.kind === 'accepted');
  const ids = accepted.map(({ answer }) => answer.jobId ?? '').sort();
  // Each document that was acknowledged has its job, and no other has one.
  expect(jobs.map(({ id }) => id)).toEqual(isKilled ? expect.arrayContaining(ids) : ids);
  checkKeys(world, answers, isKilled);
  for (const job of jobs) checkJob(job, answers, isKilled);
  await checkUsage(store, jobs);
  await checkEvents(store, world, report, jobs);
  await checkDeliveries(store, answers, isKilled);
}

type Answered = Report['answers'][number];

function ofKind<K extends Operation['kind']>(answers: Answered[], kind: K) {
  return answers.filter(
    (one): one is { operation: Operation & { kind: K }; answer: Answer } => one.operation.kind === kind,
  );
}

/** Calls with one key: one is answered, the others repeat it, and those with other content are refused. */
function checkKeys(world: World, answers: Answered[], isKilled: boolean): void {
  const calls = [...ofKind(answers, 'accept'), ...ofKind(answers, 'cached')].filter(
    ({ operation }) => operation.key !== undefined,
  );
  const ownerOf = ({ of, key }: { of: number; key: number | undefined }) =>
    `${world.organisations[of % world.organisations.length]} ${key}`;
  for (const owner of new Set(calls.map(({ operation }) => ownerOf(operation)))) {
    const group = calls.filter(({ operation }) => ownerOf(operation) === owner);
    const first = group.filter(({ answer }) => ['accepted', 'remembered'].includes(answer.kind));
    if (isKilled && first.length === 0) continue;
    const others = group.filter(({ answer }) => ['replay', 'conflict'].includes(answer.kind));
    expect(first.length).toBe(others.length > 0 ? 1 : Math.min(1, first.length));
    const [winner] = first;
    for (const { operation, answer } of others) {
      const isSame = operation.content === winner?.operation.content;
      expect(answer.kind).toBe(isSame ? 'replay' : 'conflict');
      if (isSame) expect(answer.more).toMatchObject({ requestId: world.names[winner?.operation.at ?? 0]?.requestId });
    }
  }
}

const ENDED_BY: Record<string, string> = {
  complete: 'completed',
  foreign: 'completed',
  fail: 'failed',
  bill: 'failed',
};

function checkJob(job: JobFacts, answers: Answered[], isKilled: boolean): void {
  const mine = answers.filter(({ answer }) => answer.jobId === job.id);
  const runs = ofKind(mine, 'work');
  const claims = runs.map(({ answer }) => answer.claim as Claim);
  expect(new Set(claims.map(({ token }) => token)).size).toBe(claims.length);
  // The job ended once.
  const ends = runs.filter(({ answer }) => answer.kind in ENDED_BY);
  const cancelled = ofKind(mine, 'remove').filter(({ answer }) => answer.kind === 'cancelled');
  const endings = ends.length + (cancelled.length > 0 ? 1 : 0);
  if (isKilled) expect(endings).toBeLessThanOrEqual(1);
  else expect(`${job.id} ${endings}`).toBe(`${job.id} 1`);
  const [end] = ends;
  if (end !== undefined) expect(job.status).toBe(ENDED_BY[end.answer.kind]);
  if (cancelled.length > 0) expect(job).toMatchObject({ status: 'failed', errorCode: 'CANCELLED' });
  expect(['completed', 'failed']).toContain(job.status);
  expect(job.args).toBe('{}');
  for (const { answer } of ofKind(mine, 'look'))
    if (['completed', 'failed'].includes(answer.kind)) expect(job.status).toBe(answer.kind);
  // Its result is that of the run that ended it, until it was deleted.
  const isDeleted = ofKind(mine, 'remove').some(({ answer }) => answer.kind === 'deleted');
  expect(job.deletedAtMs !== null).toBe(isDeleted || (isKilled && job.deletedAtMs !== null));
  const hasResult = job.status === 'completed' && job.deletedAtMs === null;
  if (!hasResult) expect(job.body).toBeNull();
  else if (end !== undefined) expect(job.body).toBe(JSON.stringify({ text: end.answer.claim?.token }));
  // Each run was an attempt, was undone as one, or was an interruption.
  const undone = runs.filter(({ answer }) => ['release', 'postpone'].includes(answer.kind)).length;
  if (!isKilled) expect(job.attempts + job.interruptions + undone).toBe(runs.length);
  expect(job.startedAtMs !== null).toBe(runs.length > 0 || (isKilled && job.startedAtMs !== null));
  // It counts in its period, unless it failed for no fault of its own, or was cancelled before it began.
  const isFree = job.errorCode === 'CANCELLED' ? job.startedAtMs === null : job.errorMessage === 'fail';
  expect(`${job.id} ${job.period === null}`).toBe(`${job.id} ${isFree}`);
}

async function checkUsage(store: Store, jobs: JobFacts[]): Promise<void> {
  const rows = await store.read(
    all<{ organisationId: string; period: string; documents: number }>(
      'SELECT organisation_id AS "organisationId", period, documents FROM usage',
    ),
  );
  for (const { organisationId, period, documents } of rows) {
    const counted = jobs.filter((job) => job.organisationId === organisationId && job.period === period);
    expect(documents).toBe(counted.length);
    if (period === LIMITED.period) expect(documents).toBeLessThanOrEqual(LIMITED.limit);
  }
}

/** Each end has one event, and whoever followed them saw each once, in the order of the stream. */
async function checkEvents(store: Store, { organisations }: World, report: Report, jobs: JobFacts[]): Promise<void> {
  const remembered = ofKind(report.answers, 'cached').filter(({ answer }) => answer.kind === 'remembered').length;
  let others = 0;
  for (const organisationId of organisations) {
    const { events } = await listEvents(store, organisationId, 0, 100_000);
    const bodies = events.map(({ body, type }) => ({ type, data: JSON.parse(body).data }));
    for (const { id, status } of jobs.filter((job) => job.organisationId === organisationId)) {
      const own = bodies.filter(({ data }) => data.jobId === id).map(({ type }) => type);
      expect(own).toEqual([status === 'completed' ? 'document.processed' : 'document.failed']);
    }
    others += bodies.filter(({ data }) => data.jobId === undefined).length;
    const numbers = events.map(({ number }) => number);
    for (const seen of report.followed.filter((one) => one.organisationId === organisationId))
      expect(seen.numbers).toEqual(numbers.slice(0, seen.numbers.length));
  }
  if (report.isKilled) expect(others).toBeGreaterThanOrEqual(remembered);
  else expect(others).toBe(remembered);
}

async function checkDeliveries(store: Store, answers: Answered[], isKilled: boolean): Promise<void> {
  const orphans = `SELECT webhook_delivery.id FROM webhook_delivery JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id
    WHERE removed_at IS NOT NULL AND status = 'pending'`;
  expect(await store.read(all(orphans))).toEqual([]);
  const counts = await store.read(
    all<{ attempts: number; written: number; last: number }>(
      `SELECT attempts, count(number) AS written, coalesce(max(number), 0) AS last FROM webhook_delivery
       LEFT JOIN webhook_attempt ON delivery_id = id GROUP BY id, attempts`,
    ),
  );
  for (const { attempts, written, last } of counts) expect([written, last]).toEqual([attempts, attempts]);
  const written = counts.reduce((sum, { attempts }) => sum + attempts, 0);
  const told = answers.reduce((sum, { answer }) => sum + (answer.attempts ?? 0), 0);
  if (isKilled) expect(written).toBeGreaterThanOrEqual(told);
  else expect(written).toBe(told);
  const perOwner = `SELECT count(*) AS n FROM webhook_endpoint WHERE removed_at IS NULL GROUP BY organisation_id`;
  for (const { n } of await store.read(all<{ n: number }>(perOwner))) expect(n).toBeLessThanOrEqual(MAX_ENDPOINTS);
}

/** Checks that drawn operations have the same answers and leave the same tables on both engines. */
export async function checkBothEngines(
  openPostgres: () => Promise<Store>,
  empty: () => Promise<void>,
  operations: number,
  parameters: fc.Parameters<[Operation[]]>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(OPERATIONS(operations), async (drawn) => {
      await empty();
      const stores = [await openNewFile(), await openPostgres()];
      try {
        await checkSameAnswers(stores, drawn);
      } finally {
        for (const store of stores) await store.close();
      }
    }),
    parameters,
  );
}

/** Performs the same operations, one after the other, on two stores; their answers and their tables are the same. */
async function checkSameAnswers(stores: readonly Store[], drawn: readonly Operation[]): Promise<void> {
  const world = createWorld([], drawn);
  const seen = await Promise.all(
    stores.map(async (store) => {
      // The turns of several organisations depend on the time.
      const own = { ...world, organisations: [await createOrganisation(store, 'a', { plan: 'BUSINESS' })] };
      const answers: unknown[] = [];
      for (const operation of drawn) {
        const one = operation.kind === 'work' ? { ...operation, choice: 'any' as const } : operation;
        const { claim: _, ...answer } = await perform(store, own, one);
        answers.push(answer);
      }
      return { answers, tables: await dump(store) };
    }),
  );
  const [first, ...others] = seen;
  for (const other of others) expect(other).toEqual(first);
}

const TABLES = [
  `SELECT id, status, attempts, interruptions, pages_done, page_count, error_code, error_message, deferred, lane, place,
     usage_period, args, engine, started_at IS NULL AS waits, finished_at IS NULL AS runs, deleted_at IS NULL AS kept
   FROM job ORDER BY id`,
  'SELECT id, page_count FROM document ORDER BY id',
  'SELECT id, method, status, job_id, cached, page_count, provider, processing_ms FROM request ORDER BY id',
  'SELECT job_id, provider, page_count FROM result ORDER BY job_id',
  'SELECT cache_key, job_id FROM result_cache ORDER BY cache_key',
  'SELECT idempotency_key, content_hash, request_id FROM idempotency ORDER BY idempotency_key',
  'SELECT period, documents FROM usage ORDER BY period',
  'SELECT id, secret, previous_secret, removed_at IS NULL AS kept FROM webhook_endpoint ORDER BY id',
  `SELECT endpoint_id, event, request_id, status, attempts, series_start, token IS NULL AS free FROM webhook_delivery
   ORDER BY request_id, endpoint_id, event`,
  'SELECT type FROM event ORDER BY number',
];

/** Reads what the tables hold besides times and chance. */
async function dump(store: Store): Promise<unknown> {
  const tables: unknown[] = [];
  for (const sql of TABLES) {
    const rows = await store.read(all(sql));
    // SQLite has numbers for true and false.
    const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);
    tables.push(rows.map((row) => Object.entries(row).map(([name, value]) => [name, plain(value)])));
  }
  return tables;
}
