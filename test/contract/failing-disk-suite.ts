import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, type TestContext } from 'vitest';
import {
  createFaultShim,
  explainLackOfShim,
  type FaultRule,
  type FaultShim,
} from '../support/fault-shim/fault-shim.js';
import { clientOf, createServiceHome, startOwnService } from '../support/own-service.js';
import type { Serving } from '../support/serve.js';
import type { TemporaryHome } from '../support/temporary-home.js';

// A service whose disk fails: system calls of the process return errors (test/support/fault-shim).

export const SMALL = readFileSync('examples/report.pdf');
/** Larger than the documents that are rows of the store. */
export const LARGE = Buffer.concat([SMALL, Buffer.alloc(100_000, '\n')]);
const lack = explainLackOfShim();
export const HEADERS = { prefer: 'respond-async', 'idempotency-key': 'the-only-one' };

export let home: TemporaryHome;
export let shim: FaultShim;

/** Gives each test of the file a home of its own, on a disk that can fail. */
export function useFailingDisk(): void {
  beforeEach((context: TestContext) => {
    if (lack !== undefined) return context.skip(lack);
    home = createServiceHome();
    shim = createFaultShim(home.dataDir, home.dir);
    onTestFinished(() => shim.close());
  });
}

export const start = (): Promise<Serving> => startOwnService(home, shim.env);

/** Starts the service again, repeats the call and expects the result of the same request. */
async function expectSameJob(document: Buffer, requestId: string): Promise<void> {
  shim.fail();
  const again = await start();
  const client = clientOf(again);
  const answer = await client.submit(document, { headers: HEADERS });
  expect(answer.json).toMatchObject({ requestId });
  const ended = await client.waitForJob(answer.json.jobId);
  expect(ended.json).toMatchObject({ status: 'completed', requestId });
  expect(ended.json.result.text).toContain('Alder');
  expect(await again.stop()).toBe(0);
}

/** Resolves when what the service writes on its own, the lines of its log above all, is on disk. */
async function untilQuiet(): Promise<void> {
  shim.fail({ operations: ['write', 'sync'], file: '', error: 'EIO', after: 1_000_000 });
  for (let hits = -1; hits !== shim.countHits(0); await sleep(200)) hits = shim.countHits(0);
}

/**
 * A call that makes the key known, so that the next call writes nothing before its job. It leaves nothing to remove:
 * 5 s after a removal the journal would be emptied, and that would meet the fault in place of the call.
 */
export async function startReady(): Promise<[Serving, ReturnType<typeof clientOf>]> {
  const serving = await start();
  const client = clientOf(serving);
  expect((await client.get('/v1/ocr/usage')).status).toBe(200);
  await untilQuiet();
  return [serving, client];
}

/** Submits a document of 48 KB, which is a row of the store. */
export function submitUnlike(client: ReturnType<typeof clientOf>, number: number) {
  const file = Buffer.concat([SMALL, Buffer.alloc(48_000, `\n${number}`)]);
  return client.submit(file, { headers: { prefer: 'respond-async' } });
}

/**
 * Submits a document, lets the disk fail, submits until a document is not accepted, and returns the jobs. The journal
 * is moved into the database after 1,000 pages, or 5 s after something was removed.
 */
export async function submitUntilRefused(client: ReturnType<typeof clientOf>, rule: FaultRule): Promise<string[]> {
  const kept = [(await submitUnlike(client, 0)).json.jobId];
  shim.fail(rule);
  for (;;) {
    const answer = await submitUnlike(client, kept.length).catch(() => undefined);
    if (answer?.status !== 202) return kept;
    kept.push(answer.json.jobId);
  }
}

/** The disk works again: a new service brings the jobs to their end. */
export async function expectKept(jobIds: readonly string[]): Promise<void> {
  const again = await start();
  for (const jobId of jobIds) expect((await clientOf(again).waitForJob(jobId)).json.status).toBe('completed');
  expect(await again.stop()).toBe(0);
}

export async function expectEnd(serving: Serving, words: string): Promise<void> {
  expect(await serving.ended).toBe(1);
  const lines = serving
    .log()
    .split('\n')
    .filter((line) => line.includes('the disk has failed: stopping'));
  expect(lines).toHaveLength(1);
  const { file, reason } = JSON.parse(lines[0] ?? '');
  expect(`${file} ${reason}`).toContain(`${home.dataDir}/${words}`);
  // Closing would have moved pages into the database that may not be on disk.
  expect(existsSync(join(home.dataDir, 'ocr.db-wal'))).toBe(true);
}

/** A document whose commit fails is refused as a failure that passes; the same call gets its job from the next service. */
export async function expectRefusedThenKept(document: Buffer, rule: FaultRule, words: string): Promise<void> {
  const [serving, client] = await startReady();
  shim.fail(rule);
  const refused = await client.submit(document, { headers: HEADERS });
  expect(refused.json?.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
  expect(refused.headers['retry-after']).toBe('5');
  await expectEnd(serving, words);
  await expectSameJob(document, refused.json.error.requestId);
}
