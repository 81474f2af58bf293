import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './ocr-command.js';
import { type Answer, composePdf, multipart, send, start } from './service-calls.js';

const CALLERS = 4;
const LINES = 10;
const MIB = 1024 * 1024;

/**
 * `OCR_SOAK_MINUTES=1440 npm run bench -- soak` (10 without it): calls of every kind without a pause, and what the service
 * holds meanwhile. Memory and descriptors are to stay as they are after the first fifth. Linux.
 */
export async function printSoak(): Promise<void> {
  const minutes = Number(process.env.OCR_SOAK_MINUTES ?? 10);
  const dataDir = mkdtempSync(join(tmpdir(), 'ocr-bench-soak-'));
  const children: ChildProcess[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  try {
    const settings = ['serve', '--port', '0', '--data-dir', dataDir, '--json'];
    const { url } = JSON.parse(await start(children, [join(ROOT, 'bin/ocr.js'), ...settings])) as { url: string };
    const pid = children[0]?.pid ?? 0;
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const until = Date.now() + minutes * 60_000;
    const counts: Record<string, number> = {};
    const callers = Array.from({ length: CALLERS }, async () => {
      while (Date.now() < until) {
        const { status } = await callSomehow(agent, url, key);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    });
    for (let line = 1; line <= LINES; line++) {
      await sleep((minutes * 60_000) / LINES);
      console.log(
        `${((minutes * line) / LINES).toFixed(1).padStart(8)} min   service ${residentMib(pid)} MiB   ` +
          `${readdirSync(`/proc/${pid}/fd`).length} descriptors   ${JSON.stringify(counts)}`,
      );
    }
    await Promise.all(callers);
  } finally {
    agent.destroy();
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const REPORT = readFileSync(join(ROOT, 'examples/report.pdf'));
const PHOTO = readFileSync(join(ROOT, 'examples/photo.jpg'));

/** One of what a day brings: new documents and known ones, inline and queued, polls, refusals, a photograph now and then. */
async function callSomehow(agent: Agent, url: string, key: string): Promise<Answer> {
  const call = (path: string, body?: Buffer, headers: Record<string, string> = {}) =>
    send(agent, `${url}${path}`, { 'x-api-key': key, ...headers }, body);
  const post = (file: Buffer, headers = {}) => call('/v1/ocr/TEXT_EXTRACTION', multipart(file), headers);
  const dice = Math.random();
  if (dice < 0.3) return await post(composePdf(16 * 1024));
  if (dice < 0.45) return await post(Buffer.concat([REPORT, Buffer.from(`\n%${Math.random()}`)]));
  if (dice < 0.6) return await post(REPORT);
  if (dice < 0.61) return await post(Buffer.concat([PHOTO, Buffer.from(String(Math.random()))]));
  if (dice < 0.7) return await post(Buffer.from('no document'));
  if (dice < 0.75) return await post(REPORT, { 'x-api-key': 'wrong' });
  if (dice < 0.8) return await call('/v1/ocr/functions');
  const { json, ...queued } = await post(composePdf(64 * 1024), { prefer: 'respond-async' });
  return json.jobId === undefined ? { json, ...queued } : await call(`/v1/ocr/jobs/${json.jobId}`);
}

function residentMib(pid: number): string {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return ((Number(kib) * 1024) / MIB).toFixed(0).padStart(4);
}
