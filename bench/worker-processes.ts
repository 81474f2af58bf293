import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, createOrganisation } from '../src/store/access.js';
import { openStore } from '../src/store/postgres/open-store.js';
import { ROOT } from './ocr-command.js';
import { composePdf, makeUnlike, multipart, send } from './service-calls.js';
import { type BenchService, withService } from './with-service.js';

const LOOK_EVERY_MS = 20;
const PDF_BYTES = 16 * 1024;

interface Set {
  name: string;
  count: number;
  make(): Buffer;
}

/** Documents a second of one worker process and of two, each with one worker, behind one api process on a database. */
export async function printWorkerProcesses(databaseUrl: string): Promise<void> {
  const scan = readFileSync(join(ROOT, 'test/fixtures/paragraph.png'));
  const sets: Set[] = [
    { name: 'scans of a paragraph', count: 60, make: () => makeUnlike(scan) },
    { name: 'PDFs of a page, 16 KiB', count: 600, make: () => composePdf(PDF_BYTES) },
  ];
  const key = await createKey(databaseUrl);
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-fleet-'));
  const env = { OCR_SERVE_DATABASE_URL: databaseUrl, OCR_SERVE_SECRET_FILE: join(directory, 'secret') };
  const start = (role: string, use: (service: BenchService) => Promise<void>) =>
    withService(use, { flags: ['--role', role, '--workers', '1'], env });
  await start('api', (api) =>
    start('worker', async () => {
      const alone = await measureAll(api, key, sets);
      await start('worker', async () => {
        const both = await measureAll(api, key, sets);
        for (const [index, { name }] of sets.entries()) {
          const [one, two] = [alone[index] ?? 0, both[index] ?? 0];
          console.log(
            `${`${name}, from one worker process to two`.padEnd(56)} ${one.toFixed(1)}/s → ${two.toFixed(1)}/s   ` +
              `ratio ${(two / one).toFixed(2)}`,
          );
        }
      });
    }),
  );
  rmSync(directory, { recursive: true });
}

async function createKey(databaseUrl: string): Promise<string> {
  const store = await openStore({ url: databaseUrl, maxConnections: 1, applicationName: 'bench' });
  const organisationId = await createOrganisation(store, 'Organisation', { plan: 'ENTERPRISE' });
  const key = await createApiKey(store, organisationId, 'bench');
  await store.close();
  return key;
}

async function measureAll(api: BenchService, key: string, sets: readonly Set[]): Promise<number[]> {
  const rates: number[] = [];
  for (const set of sets) {
    // The processes that read documents have started.
    await measure(api, key, { ...set, count: 4 });
    rates.push(await measure(api, key, set));
  }
  return rates;
}

/** Returns the documents a second, from the first call until the last job has ended. */
async function measure({ url, agent }: BenchService, key: string, { count, make }: Set): Promise<number> {
  const headers = { 'x-api-key': key, prefer: 'respond-async' };
  const startedAt = performance.now();
  const submit = async () => {
    const { status, json } = await send(agent, `${url}/v1/ocr/TEXT_EXTRACTION`, headers, multipart(make()));
    if (status !== 202) throw new Error(`a call was answered ${status}: ${json.error?.message}`);
    return json.jobId as string;
  };
  const jobs = await Promise.all(Array.from({ length: count }, submit));
  for (const jobId of jobs) {
    for (;;) {
      const { json } = await send(agent, `${url}/v1/ocr/jobs/${jobId}`, headers);
      if (json.status === 'completed') break;
      if (json.status === 'failed') throw new Error(`${jobId} failed: ${json.error?.message}`);
      await sleep(LOOK_EVERY_MS);
    }
  }
  return (count * 1000) / (performance.now() - startedAt);
}
