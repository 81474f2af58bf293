import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readResidentBytes } from '../../dist/service/documents/process-usage.js';
import { imageBombs, pdfBombs } from '../fixtures/maker/bombs.js';
import { crossReferenceBombs } from '../fixtures/maker/counting-bombs.js';
import { examples } from '../fixtures/manifest.js';
import { createDataDir, waitForNoBlobs } from './support/running-service.js';
import { findChildren, killSpawnedServices, type SpawnedService, spawnService } from './support/spawned-service.js';

// Small files that need much time or memory, read by the real document program.

const MIB = 1024 * 1024;
const LIMIT_BYTES = 384 * MIB;
/** The watch checks every quarter of a second; the system bounds the growth in between. */
const MAX_PROCESS_BYTES = 2 * LIMIT_BYTES + 256 * MIB;
const MAX_SERVICE_BYTES = 400 * MIB;
/** Pause between two neighbours: short enough to overlap the bomb, long enough to leave it most of the time. */
const NEIGHBOUR_PAUSE_MS = 500;

type End = 'INVALID_DOCUMENT' | 'PAGE_LIMIT_EXCEEDED' | 'INTERNAL' | 'read';
/** A document by its name in a collection, its end, and the message or text of that end. */
type BombRow = [name: string, bombs: Record<string, () => Buffer>, end: End, message: RegExp];

/** The message for cross-references that claim more than the file has. */
const TOO_MANY = /name more objects than the file can have/;

const BOMBS: readonly BombRow[] = [
  // The first three are read up to their limit of time or memory.
  [
    'a content stream of 768 MiB',
    pdfBombs,
    'INVALID_DOCUMENT',
    /cannot be read: (?:it needs more than 384 MiB of memory|no page was done)/,
  ],
  [
    'text without end in ten layers of Flate',
    pdfBombs,
    'INVALID_DOCUMENT',
    /cannot be read: (?:it needs more|no page was done)/,
  ],
  ['a form that draws itself', pdfBombs, 'INVALID_DOCUMENT', /cannot be read: (?:it needs more|no page was done)/],
  ['a TIFF of 100,000 pages', imageBombs, 'PAGE_LIMIT_EXCEEDED', /100000 pages/],
  ['a GIF of 65,535 x 65,535', imageBombs, 'INVALID_DOCUMENT', /65535 x 65535 pixels/],
  ['a BMP of 2 gigapixels', imageBombs, 'INVALID_DOCUMENT', /60000 x 40000 pixels/],
  ...Object.keys(crossReferenceBombs).map((name): BombRow => [name, crossReferenceBombs, 'INVALID_DOCUMENT', TOO_MANY]),
  ['a PNG of 268 megapixels', imageBombs, 'INVALID_DOCUMENT', /16384 x 16384 pixels; the limit is 100 million/],
  ['a TIFF of one strip of 4 gigapixels', imageBombs, 'INVALID_DOCUMENT', /damaged|pixels/],
  ['a count of a million pages', pdfBombs, 'PAGE_LIMIT_EXCEEDED', /1000000 pages/],
  ['pages that are their own parents', pdfBombs, 'INVALID_DOCUMENT', /none of the 9 pages can be read/],
  [
    'a JBIG2 page of 65,535 x 65,535',
    pdfBombs,
    'INVALID_DOCUMENT',
    /cannot be read: (?:it needs more|no page was done)/,
  ],
  ['a cross-reference table that precedes itself', pdfBombs, 'read', /./],
  ['arrays in arrays, 200,000 deep', pdfBombs, 'read', /./],
  ['a page of a million points', pdfBombs, 'read', /./],
  ['a pattern of a hundred million tiles', pdfBombs, 'read', /./],
];

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

test.each(BOMBS)(
  '%s → ends, while a neighbour is served and memory stays bounded',
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
    expect(serviceBytes).toBeLessThan(MAX_SERVICE_BYTES);
    expect(processBytes).toBeLessThan(MAX_PROCESS_BYTES);
    expect(await waitForNoBlobs(dataDir)).toEqual([]);
  },
);

/** Returns the error of the answer or of its job. */
async function readToItsEnd(file: Buffer) {
  const answer = await running.client.submit(file);
  const last = answer.status === 202 ? await running.client.waitForJob(answer.json.jobId) : answer;
  return { error: last.json.error as { code: string; message: string } | undefined, text: last.text };
}

/** Makes a document that no cache holds. */
function makeNeighbour(): Buffer {
  return Buffer.concat([readFileSync(examples.report.path), Buffer.from(`% ${unique++}\n`)]);
}

/** Records the peak memory of the service, and of its largest document process. */
function watchMemory() {
  const peak = { serviceBytes: 0, processBytes: 0 };
  const pid = running.child.pid as number;
  const read = async () => {
    const children = findChildren(pid).map((child) => readResidentBytes(child));
    const sizes = children.map((bytes) => bytes ?? 0);
    const all = readResidentBytes(pid) ?? 0;
    peak.processBytes = Math.max(peak.processBytes, ...sizes);
    peak.serviceBytes = Math.max(peak.serviceBytes, all - sizes.reduce((sum, bytes) => sum + bytes, 0));
  };
  const timer = setInterval(() => void read(), 100);
  return {
    stop: async () => {
      clearInterval(timer);
      await read();
      return peak;
    },
  };
}
