import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, createOrganisation } from '../src/store/access.js';
import { openStore } from '../src/store/postgres/open-store.js';
import { makeTextPdf } from '../test/fixtures/maker/documents.js';
import { addNoise, encodeJpeg, renderPages } from '../test/fixtures/maker/scan.js';
import { addImagePage, createDocument, saveDocument } from '../test/fixtures/maker/typeset.js';
import { composeHundred } from '../test/fixtures/texts.js';
import type { TestPostgres } from '../test/support/postgres.js';
import { ROOT } from './ocr-command.js';
import { watchCpu } from './process-tree.js';
import { composePdf, makeUnlike, multipart, send } from './service-calls.js';
import { type BenchService, withService } from './with-service.js';

const LOOK_EVERY_MS = 100;
const PDF_BYTES = 16 * 1024;
const PAGES = 5;
const A4: [number, number] = [595, 842];
const DPI = 200;
const JPEG_QUALITY = 80;

interface Set {
  name: string;
  count: number;
  make(): Buffer;
}

/** Documents a second of one worker process and of two, each with one worker, behind one api process on a database; and the cost of a document in each process. */
export async function printWorkerProcesses(postgres: TestPostgres, databaseUrl: string): Promise<void> {
  const scan = readFileSync(join(ROOT, 'test/fixtures/paragraph.png'));
  const sets: Set[] = [
    { name: 'scans of a paragraph', count: 60, make: () => makeUnlike(scan) },
    { name: 'PDFs of a page, 16 KiB', count: 600, make: () => composePdf(PDF_BYTES) },
  ];
  const [scanned, printed] = await makeLongDocuments();
  const longSets: Set[] = [
    { name: `scans of ${PAGES} pages, ${toMib(scanned)} MiB`, count: 6, make: () => makeUnlike(scanned) },
    { name: `PDFs of ${PAGES} pages, ${toMib(printed)} MiB`, count: 100, make: () => makeUnlike(printed) },
  ];
  const key = await createKey(databaseUrl);
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-fleet-'));
  const env = { OCR_SERVE_DATABASE_URL: databaseUrl, OCR_SERVE_SECRET_FILE: join(directory, 'secret') };
  const start = (role: string, use: (service: BenchService) => Promise<void>) =>
    withService(use, { flags: ['--role', role, '--workers', '1'], env });
  await start('api', (api) =>
    start('worker', async (worker) => {
      for (const set of longSets) await printCosts(postgres, databaseUrl, { api, worker }, key, set);
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

/** A scan and a PDF of PAGES pages full of text. */
async function makeLongDocuments(): Promise<[scanned: Buffer, printed: Buffer]> {
  const text = Array.from({ length: PAGES }, (_, page) =>
    [1, 2, 3, 4, 5].flatMap((part) => composeHundred(page * 5 + part)),
  );
  const printed = await makeTextPdf('Pages', text);
  const { document } = await createDocument('Scans');
  for (const [index, image] of (await renderPages(printed, DPI)).entries())
    await addImagePage(
      document,
      { bytes: await encodeJpeg(addNoise(image, 12, index), JPEG_QUALITY), type: 'jpeg' },
      A4,
    );
  return [Buffer.from(await saveDocument(document)), Buffer.from(printed)];
}

const toMib = (bytes: Buffer): string => (bytes.length / 1024 / 1024).toFixed(1);

/** Prints the processor time of a document in each process, and the bytes of the database's journal. */
async function printCosts(
  postgres: TestPostgres,
  databaseUrl: string,
  { api, worker }: { api: BenchService; worker: BenchService },
  key: string,
  set: Set,
): Promise<void> {
  await measure(api, key, { ...set, count: 2 });
  const journal = async () =>
    Number((await postgres.query(databaseUrl, `SELECT pg_current_wal_lsn() - '0/0' AS bytes`))[0]?.bytes);
  const server = Number(readFileSync(join(postgres.directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const before = await journal();
  const watches = [api.pid, worker.pid, server].map(watchCpu);
  await measure(api, key, set);
  const [ofApi = 0, ofWorker = 0, ofServer = 0] = watches.map((end) => end() / set.count);
  const bytes = ((await journal()) - before) / set.count;
  console.log(
    `${set.name.padEnd(56)} api ${ofApi.toFixed(1)} ms   worker ${ofWorker.toFixed(0)} ms   ` +
      `database ${ofServer.toFixed(1)} ms of processor time a document   journal ${(bytes / 1024).toFixed(0)} KiB`,
  );
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
