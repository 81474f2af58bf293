import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { describeUnless } from '../support/describe-unless.js';
import { clientAt, type Fleet, startOwnFleet } from '../support/fleet.js';
import { explainLackOfPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { describeWithPostgres } from '../support/postgres.js';
import type { Serving } from '../support/serve.js';
import { until } from '../support/until.js';
import { newReport } from '../support/webhook-service.js';
import type { Answer } from './support/http.js';

// A database that is away and processes that are killed while documents come: nothing acknowledged is lost, done twice or
// billed wrongly.

const OUTAGE_MS = 30_000;
/** More for a longer trial: OCR_FLEET_KILLS=1000. */
const KILLS = Number(process.env.OCR_FLEET_KILLS ?? 6);
const SENDERS = 4;
/** Pause between the calls of a sender, so that tests beside this one get their share of the machine. */
const PAUSE_MS = 100;
/** A process takes ten seconds to start on a busy machine, and documents wait for it. */
const PATIENCE_MS = 180_000;
/** Documents of a sender that may wait. */
const QUEUED = 5;
const SETTINGS = { OCR_SERVE_JOB_LEASE_MS: '2000' };
const TIMEOUT = { timeout: 300_000 + KILLS * 30_000 };

interface Load {
  /** Jobs by their Idempotency-Key. */
  jobs: Map<string, string>;
  /** Calls that got 503. */
  refusals: number;
  /** Stops the senders, each once its last document is acknowledged. */
  stop(): Promise<void>;
}

/** Sends documents to the processes in turn, each until it is acknowledged, and some of them once more. Few wait at a time. */
function send(apis: () => readonly Serving[], key: string): Load {
  const load: Load = {
    jobs: new Map(),
    refusals: 0,
    stop: async () => {
      isStopping = true;
      await ended;
    },
  };
  let isStopping = false;
  let calls = 0;
  const call = async (name: string, file: Buffer): Promise<void> => {
    for (;;) {
      const headers = { prefer: 'respond-async', 'idempotency-key': name };
      const api = apis()[calls++ % apis().length] as Serving;
      // A connection that breaks off says nothing of the document.
      const answer: Answer | undefined = await clientAt(api, key)
        .submit(file, { headers })
        .catch(() => undefined);
      if (answer?.status === 503) {
        expect(answer.json.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
        load.refusals++;
      } else if (answer !== undefined) {
        expect(answer.status, answer.text).toBe(202);
        expect(load.jobs.get(name) ?? answer.json.jobId).toBe(answer.json.jobId);
        load.jobs.set(name, answer.json.jobId);
        return;
      }
      await sleep(PAUSE_MS);
    }
  };
  const untilEnded = async (name: string): Promise<void> => {
    while (!isStopping) {
      const api = apis()[calls++ % apis().length] as Serving;
      const answer = await clientAt(api, key)
        .get(`/v1/ocr/jobs/${load.jobs.get(name)}`)
        .catch(() => undefined);
      if (answer?.json.status === 'completed') return;
      await sleep(PAUSE_MS);
    }
  };
  const ended = Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let i = 0; !isStopping; i++) {
        const [name, file] = [`${sender}-${i}`, newReport()];
        await call(name, file);
        if (i % 3 === 0) await call(name, file);
        await sleep(PAUSE_MS);
        // A queue that grew without end would be read for minutes after the faults.
        if (i % QUEUED === QUEUED - 1) await untilEnded(name);
      }
    }),
  );
  // Its failure is that of stop().
  ended.catch(() => {});
  return load;
}

/** Expects that each job ended once, is billed once, and that there is no other. */
async function expectEachOnce(fleet: Fleet, api: Serving, key: string, jobs: ReadonlyMap<string, string>) {
  const client = clientAt(api, key);
  for (const jobId of jobs.values()) {
    let { status, json } = await client.waitForJob(jobId);
    // The database may be slow to answer on a busy machine: a poll is made again, as its Retry-After says.
    while (status === 503) ({ status, json } = await client.waitForJob(jobId));
    expect(json, jobId).toMatchObject({ status: 'completed' });
  }
  const count = async (sql: string) => Number((await fleet.postgres.query(fleet.databaseUrl, sql))[0]?.n);
  expect({
    jobs: await count('SELECT count(*) AS n FROM job'),
    ends: await count('SELECT count(*) AS n FROM event'),
    billed: await count('SELECT sum(documents) AS n FROM usage'),
    failedAttempts: await count('SELECT coalesce(sum(attempts - 1), 0) AS n FROM job'),
  }).toEqual({ jobs: jobs.size, ends: jobs.size, billed: jobs.size, failedAttempts: 0 });
}

async function createFleet(): Promise<{ fleet: Fleet; key: string }> {
  const fleet = await startOwnFleet({ isDurable: true });
  await fleet.admin('migrate');
  return { fleet, key: (await fleet.createOrganisation()).key };
}

describeWithPostgres('nothing acknowledged is lost, done twice or billed wrongly', () => {
  test('a database that crashes and is away for half a minute → calls get 503, no process ends', TIMEOUT, async () => {
    const { fleet, key } = await createFleet();
    const roles = ['api', 'api', 'worker', 'worker'] as const;
    const processes = await Promise.all(roles.map((role) => fleet.serve(role, SETTINGS)));
    const apis = processes.slice(0, 2);
    const load = send(() => apis, key);
    await until(() => load.jobs.size > 10, 'documents', PATIENCE_MS);
    await fleet.postgres.stop('SIGKILL');
    await sleep(OUTAGE_MS);
    expect(load.refusals).toBeGreaterThan(0);
    await fleet.postgres.start();
    const before = load.jobs.size;
    await until(() => load.jobs.size > before + 10, 'more documents', PATIENCE_MS);
    await load.stop();
    await expectEachOnce(fleet, apis[0] as Serving, key, load.jobs);
    for (const serving of processes) expect(await serving.stop(), serving.log()).toBe(0);
  });

  test('a database that crashes again and again → each acknowledged job is there', TIMEOUT, async () => {
    const { fleet, key } = await createFleet();
    const roles = ['api', 'api', 'worker', 'worker'] as const;
    const processes = await Promise.all(roles.map((role) => fleet.serve(role, SETTINGS)));
    const apis = processes.slice(0, 2);
    const load = send(() => apis, key);
    for (let round = 0; round < KILLS; round++) {
      const before = load.jobs.size;
      await until(() => load.jobs.size > before + 5, 'documents', PATIENCE_MS);
      await fleet.postgres.stop('SIGKILL');
      await fleet.postgres.start();
    }
    await load.stop();
    await expectEachOnce(fleet, apis[0] as Serving, key, load.jobs);
    for (const serving of processes) expect(await serving.stop(), serving.log()).toBe(0);
  });

  test('kill -9 of api processes, workers and backends of the database', TIMEOUT, async () => {
    const { fleet, key } = await createFleet();
    const apis = [await fleet.serve('api', SETTINGS), await fleet.serve('api', SETTINGS)];
    const workers = [await fleet.serve('worker', SETTINGS), await fleet.serve('worker', SETTINGS)];
    const load = send(() => apis, key);
    const replace = async (processes: Serving[], role: 'api' | 'worker', index: number) => {
      processes[index]?.signal('SIGKILL');
      processes[index] = await fleet.serve(role, SETTINGS);
    };
    const killBackend = async () => {
      const sql = `SELECT pid FROM pg_stat_activity WHERE usename = 'ocr' AND pid <> pg_backend_pid() ORDER BY random()`;
      const [backend] = await fleet.postgres.query(fleet.databaseUrl, sql);
      if (backend !== undefined) process.kill(Number(backend.pid), 'SIGKILL');
    };
    for (let round = 0; round < KILLS; round++) {
      const before = load.jobs.size;
      await until(() => load.jobs.size > before + 5, 'documents', PATIENCE_MS);
      if (round % 3 === 0) await replace(apis, 'api', Math.floor(round / 3) % 2);
      else if (round % 3 === 1) await replace(workers, 'worker', Math.floor(round / 3) % 2);
      else await killBackend();
    }
    await load.stop();
    await expectEachOnce(fleet, apis[0] as Serving, key, load.jobs);
  });
});

describeWithPostgres('PgBouncer', () => {
  describeUnless(explainLackOfPgBouncer(), 'in transaction mode', () => {
    test('in front of the database → the same answers; notifications come past it', TIMEOUT, async () => {
      const { fleet, key } = await createFleet();
      const pooler = await startPgBouncer(fleet.postgres.directory);
      onTestFinished(() => pooler.close());
      const env = {
        ...SETTINGS,
        OCR_SERVE_DATABASE_URL: fleet.databaseUrl.replace(/@[^/]+/, `@${encodeURIComponent(pooler.directory)}`),
        OCR_SERVE_DATABASE_LISTEN_URL: fleet.databaseUrl,
      };
      const roles = ['api', 'api', 'worker', 'worker'] as const;
      const processes = await Promise.all(roles.map((role) => fleet.serve(role, env)));
      const apis = processes.slice(0, 2);
      const load = send(() => apis, key);
      await until(() => load.jobs.size > 20, 'documents', PATIENCE_MS);
      await load.stop();
      await expectEachOnce(fleet, apis[1] as Serving, key, load.jobs);
      expect(load.refusals).toBe(0);
      expect((await clientAt(apis[0] as Serving, key).submit(newReport())).status).toBe(200);
      for (const serving of processes) expect(await serving.stop(), serving.log()).toBe(0);
    });
  });
});
