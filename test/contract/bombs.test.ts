import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readResidentBytes } from '../../dist/service/documents/resident-memory.js';
import { imageBombs, pdfBombs } from '../fixtures/maker/bombs.js';
import { examples } from '../fixtures/manifest.js';
import { createDataDir, waitForNoBlobs } from './support/running-service.js';
import { findChildren, killSpawnedServices, type SpawnedService, spawnService } from './support/spawned-service.js';

// Small files that ask for much, read by the real program: each ends, a neighbour is served, and memory stays bounded.

const MIB = 1024 * 1024;
const LIMIT_BYTES = 384 * MIB;
/** The watch looks every quarter of a second; what a process can take in between is bounded by the system. */
const WORST_PROCESS_BYTES = 2 * LIMIT_BYTES + 256 * MIB;
const WORST_SERVICE_BYTES = 400 * MIB;
/** Often enough to be served throughout, and most of the time left to the bomb. */
const NEIGHBOUR_PAUSE_MS = 500;

let dataDir: string;
let running: SpawnedService;
let unique = 0;

beforeAll(async () => {
  dataDir = createDataDir();
  running = await spawnService(dataDir, {
    workers: 3,
    documentMemoryBytes: LIMIT_BYTES,
    documentTimeoutMs: 20_000,
    documentIdleTimeoutMs: 4_000,
    inlineTimeoutMs: 60_000,
  });
});
afterAll(() => {
  killSpawnedServices();
  rmSync(dataDir, { recursive: true, force: true });
});

type End = 'INVALID_DOCUMENT' | 'PAGE_LIMIT_EXCEEDED' | 'INTERNAL' | 'read';

test.each<[string, Record<string, () => Buffer>, End, RegExp]>([
  ['a PNG of 268 megapixels', imageBombs, 'INVALID_DOCUMENT', /16384 x 16384 pixels; the limit is 100 million/],
  ['a TIFF of 100,000 pages', imageBombs, 'PAGE_LIMIT_EXCEEDED', /100000 pages/],
  ['a TIFF of one strip of 4 gigapixels', imageBombs, 'INVALID_DOCUMENT', /damaged|pixels/],
  ['a GIF of 65,535 x 65,535', imageBombs, 'INVALID_DOCUMENT', /65535 x 65535 pixels/],
  ['a BMP of 2 gigapixels', imageBombs, 'INVALID_DOCUMENT', /60000 x 40000 pixels/],
  ['a count of a million pages', pdfBombs, 'PAGE_LIMIT_EXCEEDED', /1000000 pages/],
  ['pages that are their own parents', pdfBombs, 'INVALID_DOCUMENT', /none of the 9 pages can be read/],
  [
    'a content stream of 768 MiB',
    pdfBombs,
    'INTERNAL',
    /3 attempts: (?:it needs more than 384 MiB of memory|no page was done)/,
  ],
  ['text without end in ten layers of Flate', pdfBombs, 'INTERNAL', /3 attempts: (?:it needs more|no page was done)/],
  ['a form that draws itself', pdfBombs, 'INTERNAL', /3 attempts: (?:it needs more|no page was done)/],
  ['a JBIG2 page of 65,535 x 65,535', pdfBombs, 'INTERNAL', /3 attempts: (?:it needs more|no page was done)/],
  ['a cross-reference table that precedes itself', pdfBombs, 'read', /./],
  ['arrays in arrays, 200,000 deep', pdfBombs, 'read', /./],
  ['a page of a million points', pdfBombs, 'read', /./],
  ['a pattern of a hundred million tiles', pdfBombs, 'read', /./],
])(
  '%s ends, and nothing else does',
  async (name, bombs, end, message) => {
    const bomb = (bombs[name] as () => Buffer)();
    const watch = watchMemory();
    const hit = readToItsEnd(bomb);
    let neighbours = 0;
    let hasEnded = false;
    void hit.finally(() => {
      hasEnded = true;
    });
    do {
      const answer = await running.client.submit(makeNeighbour());
      expect(answer.json.result?.text, answer.text).toMatch(/\w/);
      neighbours++;
      await sleep(NEIGHBOUR_PAUSE_MS);
    } while (!hasEnded);
    const { error, text } = await hit;
    expect(error?.code ?? 'read', text).toBe(end);
    expect(error?.message ?? text).toMatch(message);
    expect(neighbours).toBeGreaterThan(0);
    const { serviceBytes, processBytes } = await watch.stop();
    expect(serviceBytes).toBeGreaterThan(0);
    expect(serviceBytes).toBeLessThan(WORST_SERVICE_BYTES);
    expect(processBytes).toBeLessThan(WORST_PROCESS_BYTES);
    expect(await waitForNoBlobs(dataDir)).toEqual([]);
  },
  60_000,
);

/** The error that a caller is told, by the answer or by the job. */
async function readToItsEnd(file: Buffer) {
  const answer = await running.client.submit(file);
  const last = answer.status === 202 ? await running.client.waitForJob(answer.json.jobId) : answer;
  return { error: last.json.error as { code: string; message: string } | undefined, text: last.text };
}

/** A document that no cache knows. */
function makeNeighbour(): Buffer {
  return Buffer.concat([readFileSync(examples.report.path), Buffer.from(`% ${unique++}\n`)]);
}

/** The most that the service and any one of its document processes held. */
function watchMemory() {
  const most = { serviceBytes: 0, processBytes: 0 };
  const pid = running.child.pid as number;
  const read = async () => {
    const children = findChildren(pid).map((child) => readResidentBytes(child));
    const sizes = children.map((bytes) => bytes ?? 0);
    const all = readResidentBytes(pid) ?? 0;
    most.processBytes = Math.max(most.processBytes, ...sizes);
    most.serviceBytes = Math.max(most.serviceBytes, all - sizes.reduce((sum, bytes) => sum + bytes, 0));
  };
  const timer = setInterval(() => void read(), 100);
  return {
    stop: async () => {
      clearInterval(timer);
      await read();
      return most;
    },
  };
}
