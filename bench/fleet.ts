import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run as runGraphile } from 'graphile-worker';
import pg from 'pg';
import { createId } from '../src/contract/identifiers.js';
import { createOrganisation } from '../src/store/access.js';
import { createQueue } from '../src/store/create-queue.js';
import { openStore } from '../src/store/postgres/open-store.js';
import type { ClaimedJob } from '../src/store/queue.js';
import { makeAcceptance } from '../test/contract/support/make-acceptance.js';
import { startPostgres, type TestPostgres } from '../test/support/postgres.js';
import { createTables as createTablesIn } from '../test/support/stores.js';
import { summarise } from './service-calls.js';
import { printWorkerProcesses } from './worker-processes.js';

const SENDERS = 8;
const ROUNDS = 6;
const ROUND_MS = 1_500;
const STARTS = 60;
const WAITING = 100_000;
const ORGANISATIONS = 200;
const CLAIMS = 60;
const LEASE_MS = 15_000;
const TASK = 'read';

/**
 * `npm run bench -- fleet`: the queue on PostgreSQL beside graphile-worker 0.17 doing the same on the same server, alternately.
 * Commits are on disk on both sides. A document is accepted with its request, its job and its count in one transaction; a task of
 * graphile-worker is one row.
 */
export async function printFleet(): Promise<void> {
  const postgres = await startPostgres({ isDurable: true });
  try {
    await printAccepts(postgres);
    await printStarts(postgres);
    await printClaims(postgres);
    await printWorkerProcesses(postgres, await createTables(postgres));
  } finally {
    await postgres.close();
  }
}

const SILENT = new Logger(() => () => {});

async function createTables(postgres: TestPostgres): Promise<string> {
  const url = await postgres.createDatabase();
  await createTablesIn(url);
  return url;
}

const open = (url: string) => openStore({ url, maxConnections: 10, applicationName: 'bench' });

async function createTasks(postgres: TestPostgres) {
  const connectionString = await postgres.createDatabase();
  const pool = new pg.Pool({ connectionString, max: 10 });
  pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool: pool, logger: SILENT });
  await utils.migrate();
  return { pool, utils, connectionString };
}

/** Counts how often `send` ends in a second, with `SENDERS` at once. */
async function countPerSecond(send: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  const sendOn = async () => {
    for (; performance.now() - startedAt < ROUND_MS; count++) await send();
  };
  await Promise.all(Array.from({ length: SENDERS }, sendOn));
  return (count * 1000) / (performance.now() - startedAt);
}

async function printAccepts(postgres: TestPostgres): Promise<void> {
  const store = await open(await createTables(postgres));
  const { pool, utils } = await createTasks(postgres);
  const queue = createQueue(store);
  const organisations: string[] = [];
  for (let i = 0; i < SENDERS; i++) organisations.push(await createOrganisation(store, `Organisation ${i}`));
  const [ours, theirs]: [number[], number[]] = [[], []];
  let calls = 0;
  const accept = () => {
    store.bell.ring('job');
    return queue.accept(makeAcceptance(organisations[calls++ % SENDERS] ?? '', { cacheKey: `${calls}` }));
  };
  for (let i = 0; i < ROUNDS; i++) {
    ours.push(await countPerSecond(accept));
    theirs.push(await countPerSecond(() => utils.addJob(TASK, { id: createId('job') })));
  }
  const [a, b] = [summarise(ours).p50, summarise(theirs).p50];
  print(`accepted, ${SENDERS} senders`, `${a.toFixed(0)}/s`, `${b.toFixed(0)}/s`, a / b);
  await store.close();
  await utils.release();
  await pool.end();
}

/** Times from the call that accepts to the start at another connection, and from a completion to whoever waits for it. */
async function printStarts(postgres: TestPostgres): Promise<void> {
  const url = await createTables(postgres);
  const [api, worker] = [await open(url), await open(url)];
  const [intake, reading] = [createQueue(api), createQueue(worker)];
  const organisationId = await createOrganisation(api, 'Organisation');
  const heard = new EventEmitter();
  worker.bell.listen('job', () => heard.emit('job'));
  api.bell.listen('ended', (ids) => heard.emit('ended', ids));
  const theirs = await createTasks(postgres);
  const runner = await runGraphile({
    connectionString: theirs.connectionString,
    concurrency: 2,
    logger: SILENT,
    noHandleSignals: true,
    taskList: { [TASK]: () => void heard.emit('task') },
  });
  await sleep(1_000);
  const [starts, tasks, ends]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < STARTS; i++) {
    const acceptance = makeAcceptance(organisationId, { cacheKey: `start ${i}` });
    let startedAt = performance.now();
    const rung = once(heard, 'job');
    await intake.accept(acceptance);
    api.bell.ring('job', acceptance.jobId);
    await rung;
    const [job] = await reading.claim(LEASE_MS);
    starts.push(performance.now() - startedAt);
    startedAt = performance.now();
    const ended = once(heard, 'ended');
    await reading.complete(job as ClaimedJob, { body: '{}', provider: 'bench', pageCount: 3, durationMs: 1 });
    worker.bell.ring('ended', acceptance.jobId);
    await ended;
    await intake.find(acceptance.jobId);
    ends.push(performance.now() - startedAt);

    startedAt = performance.now();
    const task = once(heard, 'task');
    await theirs.utils.addJob(TASK, { i });
    await task;
    tasks.push(performance.now() - startedAt);
  }
  await runner.stop();
  const [a, b, c] = [summarise(starts), summarise(tasks), summarise(ends)];
  print('accepted until started, p50', ms(a.p50), ms(b.p50), a.p50 / b.p50);
  print('accepted until started, p95', ms(a.p95), ms(b.p95), a.p95 / b.p95);
  console.log(`${'completed until found by a held poll'.padEnd(56)} p50 ${ms(c.p50)}   p95 ${ms(c.p95)}`);
  await Promise.all([api.close(), worker.close(), theirs.utils.release()]);
  await theirs.pool.end();
}

/** Times a claim and its end where many jobs of many organisations wait; graphile-worker has a queue for each of these. */
async function printClaims(postgres: TestPostgres): Promise<void> {
  const url = await createTables(postgres);
  const store = await open(url);
  const ids: string[] = [];
  for (let i = 0; i < ORGANISATIONS; i++) ids.push(await createOrganisation(store, `Organisation ${i}`));
  await postgres.query(url, fillQueue(ids));
  const queue = createQueue(store);
  const ours: number[] = [];
  for (let i = 0; i < CLAIMS; i++) {
    const startedAt = performance.now();
    const [job] = await queue.claim(LEASE_MS);
    await queue.complete(job as ClaimedJob, { body: '{}', provider: 'bench', pageCount: 1, durationMs: 1 });
    ours.push(performance.now() - startedAt);
  }
  await store.close();

  const { pool, utils, connectionString } = await createTasks(postgres);
  await utils.addJob(TASK, {});
  await pool.query(FILL_TASKS);
  const begun: number[] = [];
  const done = new EventEmitter();
  const runner = await runGraphile({
    connectionString,
    concurrency: 1,
    logger: SILENT,
    noHandleSignals: true,
    taskList: {
      [TASK]: () => {
        begun.push(performance.now());
        if (begun.length === CLAIMS + 1) done.emit('done');
      },
    },
  });
  await once(done, 'done');
  await runner.stop();
  await utils.release();
  await pool.end();
  const theirs = begun.slice(1, CLAIMS + 1).map((at, index) => at - (begun[index] ?? 0));
  const [a, b] = [summarise(ours), summarise(theirs)];
  print(`claim and end, ${WAITING} of ${ORGANISATIONS} organisations wait`, ms(a.p50), ms(b.p50), a.p50 / b.p50);
}

const FILL_TASKS = `
  SELECT count(*) FROM graphile_worker.add_jobs((
    SELECT array_agg(('${TASK}', '{}', 'queue ' || n % ${ORGANISATIONS}, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec)
      FROM generate_series(1, ${WAITING}) AS n));
  ANALYZE`;

/** Rows as bench/claim.ts writes them, in a few statements. */
function fillQueue(organisationIds: readonly string[]): string {
  const list = organisationIds.map((id) => `'${id}'`).join();
  const owner = `(ARRAY[${list}])[1 + n % ${ORGANISATIONS}]`;
  const numbers = `generate_series(1, ${WAITING}) AS n`;
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
  return `
    INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at)
      SELECT ${id('doc')}, ${owner}, 'ab', 1, 'application/pdf', 1, n FROM ${numbers};
    INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
        interruptions, created_at)
      SELECT ${id('job')}, ${owner}, ${id('req')}, ${id('doc')}, 'TEXT_EXTRACTION', '{}', n::text, 'queued', n % 2, 0, 0, n
        FROM ${numbers};
    INSERT INTO worker_time (organisation_id, fades_at)
      SELECT id, n FROM unnest(ARRAY[${list}]) WITH ORDINALITY AS organisation (id, n);
    ANALYZE`;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

function print(what: string, ours: string, theirs: string, ratio: number): void {
  console.log(
    `${what.padEnd(56)} ${ours.padStart(9)}   graphile-worker ${theirs.padStart(9)}   ratio ${ratio.toFixed(2)}`,
  );
}
