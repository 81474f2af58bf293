import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { parseSignature } from '../../dist/contract/signature.js';
import { examples } from '../fixtures/manifest.js';
import { CA_FILE } from '../support/certificates.js';
import { describeUnless } from '../support/describe-unless.js';
import { createFaultShim, explainLackOfShim } from '../support/fault-shim/fault-shim.js';
import { clientAt, type Fleet, startOwnFleet } from '../support/fleet.js';
import { connectMachines, explainLackOfMachines, type Machine } from '../support/machines/machines.js';
import { describeWithPostgres } from '../support/postgres.js';
import type { Serving } from '../support/serve.js';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport } from '../support/webhook-service.js';

// A database, an api process and two workers on a machine each: what happens where a link is cut or a clock is wrong.

const LEASE_MS = 2_000;
/** Longer than a process waits on a busy machine, and shorter than clocks are wrong. */
const LONG_LEASE_MS = 120_000;
const ASYNC = { headers: { prefer: 'respond-async' } };
const WRONG_BY_MS = 300_000;

interface FleetOfMachines {
  fleet: Fleet;
  api: Machine;
  workers: [Machine, Machine];
  serve(role: 'api' | 'worker', machine: Machine, env?: Record<string, string>): Promise<Serving>;
  /** Settings of a process whose clock is wrong. */
  wrongClock(byMs: number): Record<string, string>;
}

async function startMachines(): Promise<FleetOfMachines> {
  const { machines, close } = connectMachines(4);
  onTestFinished(close);
  const [database, api, ...workers] = machines as [Machine, Machine, Machine, Machine];
  const fleet = await startOwnFleet({ machine: database });
  // Receivers of the tests are on loopback.
  Object.assign(fleet.home.env, { NODE_EXTRA_CA_CERTS: CA_FILE, OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  await fleet.admin('migrate');
  const env = {
    OCR_SERVE_DATABASE_URL: fleet.databaseUrl.replace(/@[^/]+/, `@${database.address}:5432`),
    OCR_SERVE_JOB_LEASE_MS: String(LEASE_MS),
  };
  let clocks = 0;
  return {
    fleet,
    api,
    workers,
    serve: (role, machine, more = {}) => fleet.serve(role, { ...env, ...more }, machine),
    wrongClock: (byMs) => {
      const shim = createFaultShim(join(fleet.home.dir, 'no-files'), join(fleet.home.dir, `clock-${++clocks}`));
      onTestFinished(() => shim.close());
      shim.moveClock(byMs);
      return { ...shim.env, OCR_SERVE_JOB_LEASE_MS: String(LONG_LEASE_MS) };
    },
  };
}

const attemptsOf = async (fleet: Fleet, organisationId: string) =>
  JSON.parse(await fleet.admin('jobs', 'list', '--org', organisationId, '--json')).map(
    ({ status, attempts, interruptions }: Record<string, unknown>) => ({ status, attempts, interruptions }),
  );
const countEvents = async ({ postgres, databaseUrl }: Fleet) =>
  Number((await postgres.query(databaseUrl, 'SELECT count(*) AS n FROM event'))[0]?.n);

describeWithPostgres('machines', () => {
  describeUnless(explainLackOfMachines(), 'on networks of their own', () => {
    let all: FleetOfMachines;
    beforeEach(async () => {
      all = await startMachines();
    });

    test('a worker whose link is cut for longer than a lease → its document is read by another, once', async () => {
      const { fleet, serve, workers } = all;
      const { id, key } = await fleet.createOrganisation();
      const client = clientAt(await serve('api', all.api), key);
      const severed = await serve('worker', workers[0]);
      const sent = await client.submit(readFileSync(examples.pagesTiff.path), ASYNC);
      const poll = () => client.get(`/v1/ocr/jobs/${sent.json.jobId}`);
      await until(async () => (await poll()).json.status === 'processing', 'the document to be read');
      workers[0].cut();
      await serve('worker', workers[1]);
      expect((await client.waitForJob(sent.json.jobId)).json).toMatchObject({ status: 'completed' });
      // Its reading meanwhile reaches nobody, and it goes on with the next documents.
      workers[0].mend();
      await until(() => isReady(severed), 'the severed worker to be ready again');
      await sleep(2 * LEASE_MS);
      expect(await attemptsOf(fleet, id)).toEqual([{ status: 'completed', attempts: 1, interruptions: 1 }]);
      expect(await countEvents(fleet)).toBe(1);
      const { json } = await client.get('/v1/ocr/usage');
      expect(json.documents).toMatchObject({ used: 1 });
    });

    test('an api process whose link is cut → 503, never another answer; with the link it serves again', async () => {
      const { fleet, serve, workers } = all;
      const { key } = await fleet.createOrganisation();
      const api = await serve('api', all.api);
      const client = clientAt(api, key);
      await serve('worker', workers[0]);
      expect((await client.submit(newReport())).status).toBe(200);
      all.api.cut();
      for (let i = 0; i < 4; i++) {
        const refused = await client.submit(newReport(), ASYNC);
        expect(refused.json.error, refused.text).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
        expect(refused.headers['retry-after']).toBe('5');
      }
      all.api.mend();
      await until(() => isReady(api), 'the api process to be ready again');
      expect((await client.submit(newReport())).status).toBe(200);
    });

    describeUnless(explainLackOfShim(), 'with clocks of their own', () => {
      test('clocks that are wrong by five minutes → times, order, leases and signatures are those of the database', async () => {
        const { fleet, serve, workers, wrongClock } = all;
        const { id, key } = await fleet.createOrganisation();
        const receiver = await startReceiver();
        await all.api.show(Number(new URL(receiver.url).port));
        await fleet.admin('webhooks', 'add', '--org', id, '--url', receiver.url);
        const api = await serve('api', all.api, wrongClock(-WRONG_BY_MS));
        const client = clientAt(api, key);
        const { time } = JSON.parse(api.log().split('\n')[0] ?? '');
        expect(Math.abs(Date.parse(time) - Date.now()), 'the clock is wrong').toBeGreaterThan(WRONG_BY_MS / 2);
        await serve('worker', workers[0], wrongClock(WRONG_BY_MS));
        await serve('worker', workers[1], wrongClock(-WRONG_BY_MS));
        const jobIds: string[] = [];
        for (let i = 0; i < 6; i++) jobIds.push((await client.submit(newReport(), ASYNC)).json.jobId);
        for (const jobId of jobIds) {
          const { json } = await client.waitForJob(jobId);
          expect(json).toMatchObject({ status: 'completed' });
          for (const time of [json.createdAt, json.startedAt]) expectNow(Date.parse(time));
        }
        await until(() => receiver.received.length === jobIds.length, 'the deliveries');
        for (const { headers } of receiver.received)
          expectNow(Number(parseSignature(String(headers['x-service-signature'])).t) * 1000);
        // With a lease by their own clocks they would take each other's documents.
        expect(await attemptsOf(fleet, id)).toEqual(
          jobIds.map(() => ({ status: 'completed', attempts: 1, interruptions: 0 })),
        );
      });
    });
  });
});

const isReady = async ({ url }: Serving) => (await fetch(`${url}/readyz`)).status === 200;

/** Far from the wrong clocks, and further from now than a test takes. */
function expectNow(timeMs: number): void {
  expect(Math.abs(timeMs - Date.now())).toBeLessThan(WRONG_BY_MS / 2);
}
