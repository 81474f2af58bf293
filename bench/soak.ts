import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { imageBombs, pdfBombs } from '../test/fixtures/maker/bombs.js';
import { crossReferenceBombs, makeRebuildBomb } from '../test/fixtures/maker/counting-bombs.js';
import { ROOT } from './ocr-command.js';
import { createOrganisations } from './organisations.js';
import { listTree, readMemoryBytes } from './process-tree.js';
import { type Answer, composePdf, makeUnlike, multipart, openSlowSenders, send, summarise } from './service-calls.js';
import { type BenchService, withService } from './with-service.js';

const EVERYDAY_CALLERS = 2;
const SLOW_SENDERS = 20;
const LINES = 10;
const MIB = 1024 * 1024;
const PAUSE_MS = 250;
/** An organisation that sends hostile documents waits between them, so that the machine has time for others, too. */
const HOSTILE_PAUSE_MS = 2_000;
/** A port of loopback on which nothing listens. */
const DEAD_ENDPOINT = 'https://127.0.0.1:9/hook';
const ALLOW_LOOPBACK = { OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

/**
 * `OCR_SOAK_MINUTES=1440 npm run bench -- soak` (10 without it): five organisations call without a pause. One sends what a day
 * brings; one greedily sends scans; one sends hostile documents and breaks off calls; one has a dead webhook endpoint; the calls
 * of a small one are timed. Memory, descriptors and latency are to stay as they are after the first fifth. Linux.
 */
export async function printSoak(): Promise<void> {
  const minutes = Number(process.env.OCR_SOAK_MINUTES ?? 10);
  const soak = async ({ url, pid, dataDir, agent }: BenchService) => {
    const [everyday, greedy, hostile, webhooks, small] = await createOrganisations(dataDir, 5);
    if (!everyday || !greedy || !hostile || !webhooks || !small) throw new Error('an organisation is missing');
    addDeadEndpoint(dataDir, webhooks.organisationId);
    const slowSenders = openSlowSenders(url, hostile.key, SLOW_SENDERS);
    const until = Date.now() + minutes * 60_000;
    const counts: Record<string, number> = {};
    const times: number[] = [];

    const callOnAndOn = async (call: () => Promise<Answer>, pauseMs = 0, note?: (answer: Answer) => void) => {
      while (Date.now() < until) {
        const answer = await call().catch(({ code, message }: NodeJS.ErrnoException) => code ?? message);
        const outcome = typeof answer === 'string' ? answer : answer.status;
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        if (typeof answer === 'string') continue;
        note?.(answer);
        await sleep(answer.status === 202 ? Math.max(pauseMs, 100) : pauseMs);
      }
    };
    const post = (key: string, file: Buffer) =>
      send(agent, `${url}/v1/ocr/TEXT_EXTRACTION`, { 'x-api-key': key }, multipart(makeUnlike(file)));
    const callers = [
      ...Array.from({ length: EVERYDAY_CALLERS }, () => callOnAndOn(() => callSomehow(agent, url, everyday.key))),
      callOnAndOn(() => post(greedy.key, SCAN)),
      callOnAndOn(() => post(hostile.key, pickHostile()), HOSTILE_PAUSE_MS),
      callOnAndOn(() => post(webhooks.key, REPORT), PAUSE_MS),
      callOnAndOn(
        () => post(small.key, composePdf(16 * 1024)),
        PAUSE_MS,
        ({ ms }) => times.push(ms),
      ),
    ];
    for (let line = 1; line <= LINES; line++) {
      await sleep((minutes * 60_000) / LINES);
      const { p50, p95 } = summarise(times.splice(0));
      const tree = listTree(pid);
      const treeMib = tree.reduce((sum, process) => sum + readMemoryBytes(process), 0) / MIB;
      console.log(
        `${((minutes * line) / LINES).toFixed(1).padStart(8)} min   service ${(readMemoryBytes(pid) / MIB).toFixed(0)} MiB   ` +
          `with its ${tree.length - 1} processes ${treeMib.toFixed(0)} MiB   ${readdirSync(`/proc/${pid}/fd`).length} descriptors   ` +
          `small calls p50 ${p50.toFixed(0)} p95 ${p95.toFixed(0)} ms   ${JSON.stringify(counts)}`,
      );
    }
    await Promise.all(callers);
    for (const socket of slowSenders) socket.destroy();
  };
  await withService(soak, { env: ALLOW_LOOPBACK });
}

function addDeadEndpoint(dataDir: string, organisationId: string): void {
  const args = ['admin', 'webhooks', 'add', '--org', organisationId, '--url', DEAD_ENDPOINT, '--data-dir', dataDir];
  execFileSync(process.execPath, [join(ROOT, 'bin/ocr.js'), ...args], {
    env: { ...process.env, ...ALLOW_LOOPBACK },
    stdio: 'ignore',
  });
}

const REPORT = readFileSync(join(ROOT, 'examples/report.pdf'));
const PHOTO = readFileSync(join(ROOT, 'examples/photo.jpg'));
const SCAN = readFileSync(join(ROOT, 'test/fixtures/paragraph.png'));
const HOSTILE = Object.values({ ...pdfBombs, ...imageBombs, ...crossReferenceBombs, rebuild: () => makeRebuildBomb() });

/** A hostile document, or a good one with some bytes changed. */
function pickHostile(): Buffer {
  const makeBomb = HOSTILE[Math.floor(Math.random() * HOSTILE.length)];
  if (makeBomb !== undefined && Math.random() < 0.5) return makeBomb();
  const damaged = Buffer.from(REPORT);
  for (let i = 0; i < 20; i++) damaged[Math.floor(Math.random() * damaged.length)] = Math.floor(Math.random() * 256);
  return damaged;
}

/** One of what a day brings: new documents and known ones, inline and queued, polls, refusals, a photograph now and then. */
async function callSomehow(agent: Agent, url: string, key: string): Promise<Answer> {
  const call = (path: string, body?: Buffer, headers: Record<string, string> = {}) =>
    send(agent, `${url}${path}`, { 'x-api-key': key, ...headers }, body);
  const post = (file: Buffer, headers = {}) => call('/v1/ocr/TEXT_EXTRACTION', multipart(file), headers);
  const dice = Math.random();
  if (dice < 0.3) return await post(composePdf(16 * 1024));
  if (dice < 0.45) return await post(makeUnlike(REPORT));
  if (dice < 0.6) return await post(REPORT);
  if (dice < 0.61) return await post(makeUnlike(PHOTO));
  if (dice < 0.7) return await post(Buffer.from('no document'));
  if (dice < 0.75) return await post(REPORT, { 'x-api-key': 'wrong' });
  if (dice < 0.8) return await call('/v1/ocr/functions');
  const { json, ...queued } = await post(composePdf(64 * 1024), { prefer: 'respond-async' });
  return json.jobId === undefined ? { json, ...queued } : await call(`/v1/ocr/jobs/${json.jobId}`);
}
