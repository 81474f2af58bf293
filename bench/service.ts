import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './median.js';
import { ROOT } from './ocr-command.js';
import { type Answer, composePdf, multipart, openSlowSenders, send, start } from './service-calls.js';
import { withService } from './with-service.js';

const MIB = 1024 * 1024;
const ROUNDS = 5;

/** `npm run bench -- service`: the service beside a bare server, the disk, and itself without a thousand slow senders. */
export async function printServiceFigures(): Promise<void> {
  await withService(async ({ url, dataDir, agent, children }) => {
    const baseline = await start(children, ['--import', 'tsx', join(ROOT, 'bench/service-baseline.ts')]);
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const call = (to: string, body?: Buffer, headers: Record<string, string> = {}) =>
      send(agent, to, { 'x-api-key': key, ...headers }, body);
    const post = (body: Buffer, headers = {}) => call(`${url}/v1/ocr/TEXT_EXTRACTION`, body, headers);
    await printCachedIntake((body) => call(baseline, body), post);
    await printDurableIntake(dataDir, post);
    await untilIdle(() => call(`${url}/healthz`));
    await printStartLatency(post, (jobId) => call(`${url}/v1/ocr/jobs/${jobId}`));
    await printSlowSenders(url, key, post);
  });
}

async function printCachedIntake(toBaseline: Post, post: Post): Promise<void> {
  const body = multipart(composePdf(MIB));
  await expectStatus(200, [await post(body)]);
  const ratios: number[] = [];
  let ours = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await measureRate(() => toBaseline(body), 200, 8);
    ours = await measureRate(() => post(body), 100, 8);
    ratios.push(ours / bare);
  }
  print('1 MiB with a cached answer, 8 callers', `${ours.toFixed(0)}/s`, `ratio ${median(ratios).toFixed(2)}`, '≥ 0.3');
}

async function printDurableIntake(dataDir: string, post: Post): Promise<void> {
  const rates: number[] = [];
  const syncs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    syncs.push(measureSyncs(dataDir));
    rates.push(
      await measureRate(
        async () => {
          const answer = await post(multipart(composePdf(16 * 1024)), { prefer: 'respond-async' });
          await expectStatus(202, [answer]);
        },
        400,
        16,
      ),
    );
  }
  const goal = Math.min(500, 5 * median(syncs));
  const disk = `the disk syncs ${median(syncs).toFixed(0)}/s`;
  print(
    'documents of 16 KiB, durable 202, 16 callers',
    `${median(rates).toFixed(0)}/s`,
    disk,
    `≥ ${goal.toFixed(0)}/s`,
  );
}

async function printStartLatency(post: Post, find: (jobId: string) => Promise<Answer>): Promise<void> {
  const delays: number[] = [];
  for (let i = 0; i < 30; i++) {
    const accepted = await post(multipart(composePdf(16 * 1024)), { prefer: 'respond-async' });
    for (;;) {
      const { json } = await find(accepted.json.jobId ?? '');
      if (json.status === 'completed') {
        delays.push(Date.parse(json.startedAt ?? '') - Date.parse(json.createdAt ?? ''));
        break;
      }
      await sleep(5);
    }
  }
  print('from the call to the start of its job, alone', `${median(delays).toFixed(0)} ms`, 'p50', '≤ 50 ms');
}

async function printSlowSenders(url: string, key: string, post: Post): Promise<void> {
  const measure = async () => {
    const times: number[] = [];
    for (let i = 0; i < 60; i++) times.push((await post(multipart(composePdf(16 * 1024)))).ms);
    return median(times);
  };
  await measure();
  const before = await measure();
  const sockets = openSlowSenders(url, key, 1_000);
  await sleep(1_000);
  const during = await measure();
  for (const socket of sockets) socket.destroy();
  print(
    'a call beside 1,000 slow senders',
    `${during.toFixed(0)} ms`,
    `without: ${before.toFixed(0)} ms, ratio ${(during / before).toFixed(2)}`,
    '≤ 2',
  );
}

type Post = (body: Buffer, headers?: Record<string, string>) => Promise<Answer>;

async function untilIdle(health: () => Promise<Answer & { json: { unfinishedJobs?: number } }>): Promise<void> {
  while (((await health()).json.unfinishedJobs ?? 0) > 0) await sleep(100);
}

/** Calls a second. */
async function measureRate(work: () => Promise<unknown>, count: number, callers: number): Promise<number> {
  let left = count;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return (count * 1000) / (performance.now() - startedAt);
}

/** How often a second the disk takes 16 KiB for good, one after the other. */
function measureSyncs(directory: string): number {
  const path = join(directory, 'bench-sync');
  const file = openSync(path, 'w');
  const bytes = randomBytes(16 * 1024);
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < 500; count++) {
    writeSync(file, bytes);
    fdatasyncSync(file);
  }
  const rate = (count * 1000) / (performance.now() - startedAt);
  closeSync(file);
  rmSync(path);
  return rate;
}

async function expectStatus(status: number, answers: Answer[]): Promise<void> {
  const other = answers.find((answer) => answer.status !== status);
  if (other !== undefined) throw new Error(`${other.status} instead of ${status}: ${other.json.error?.message}`);
}

function print(name: string, value: string, beside: string, goal: string): void {
  console.log(`${name.padEnd(46)} ${value.padStart(9)}   ${beside}   goal ${goal}`);
}
