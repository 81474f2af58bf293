import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { openBeside } from '../../contract/support/organisations.js';
import { createClient, waitForNoBlobs } from '../../contract/support/running-service.js';
import { type SpawnedService, spawnService } from '../../contract/support/spawned-service.js';
import { imageBombs, pdfBombs } from '../../fixtures/maker/bombs.js';
import { crossReferenceBombs, makeRebuildBomb } from '../../fixtures/maker/counting-bombs.js';
import { examples } from '../../fixtures/manifest.js';
import { mutated } from '../../fuzz/mutations.js';
import type { Fault } from '../fault.js';
import { untilIdle } from '../senders.js';

const MIB = 1024 * 1024;
const STRANGERS = 3;
const MAX_SERVICE_ENDS_MS = 60_000;
const LIMITS = {
  workers: 2,
  documentMemoryBytes: 384 * MIB,
  documentTimeoutMs: 20_000,
  documentIdleTimeoutMs: 5_000,
  inlineTimeoutMs: 60_000,
};
const FUNCTIONS = ['TEXT_EXTRACTION', 'DOCUMENT_INSPECTION', 'TABLE_EXTRACTION', 'FORM_FIELDS'];
/** Ends that a document may cause by itself. INTERNAL is a process that crashed in every attempt. */
const OWN_ENDS = ['INVALID_DOCUMENT', 'PAGE_LIMIT_EXCEEDED', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_ARGUMENTS', 'INTERNAL'];

/** Files that ask for much, and damaged copies of good files, beside a caller with good ones. The service is killed half-way. */
export const fault: Fault = {
  name: 'hostile and damaged documents, and kill -9 meanwhile',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'another caller is answered',
    'the service continues by itself',
  ],
  rounds: 60,
  run: async ({ rounds, createDirectory, checked, broken, count }) => {
    const dataDir = createDirectory();
    const documents = makeDocuments(rounds);
    const jobs: Array<{ key: string; jobId: string }> = [];
    let service: SpawnedService | undefined = await spawnService(dataDir, LIMITS);
    let isKilling = false;
    const beside = await openBeside({ url: service.url, dataDir });
    const [stranger, neighbour] = [await beside.add(), await beside.add()];
    await beside.close();
    /** The organisation's client of the present service. */
    const as = ({ key }: { key: string }) => (service === undefined ? undefined : createClient(service.url, key));

    async function sendStrangers(): Promise<void> {
      for (let next = documents.shift(); next !== undefined; next = documents.shift()) {
        const { kind, bytes } = next;
        const options = { function: FUNCTIONS[randomInt(FUNCTIONS.length)] as string };
        const headers = randomInt(2) === 0 ? { prefer: 'respond-async' } : {};
        for (;;) {
          const answer = await as(stranger)
            ?.submit(bytes, { ...options, headers })
            .catch(() => undefined);
          if (answer === undefined || answer.json?.error?.retryable === true) {
            await sleep(100);
            continue;
          }
          count(kind);
          if (answer.status === 202) jobs.push({ key: stranger.key, jobId: answer.json.jobId });
          else checkEnd(answer.json.error?.code, `${kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
          break;
        }
      }
    }

    function checkEnd(code: string | undefined, details: string): void {
      if (code !== undefined && !OWN_ENDS.includes(code)) broken('every acknowledged job ends once', details);
    }

    async function sendGoodDocuments(state: { isOver: boolean }): Promise<void> {
      const report = readFileSync(examples.report.path);
      for (let number = 0; !state.isOver; number++) {
        const running = service;
        const file = Buffer.concat([report, Buffer.from(`\n% ${number}`)]);
        const answer = await as(neighbour)
          ?.submit(file)
          .catch(() => undefined);
        // A call that the kill cuts off has no answer.
        if (answer === undefined && (isKilling || running !== service)) await sleep(50);
        else if (answer?.status === 202) jobs.push({ key: neighbour.key, jobId: answer.json.jobId });
        else if (answer?.status !== 200 || typeof answer.json.result?.text !== 'string')
          broken('another caller is answered', `${answer?.status}: ${answer?.text.slice(0, 200)}`);
        else count('good documents meanwhile');
      }
    }

    async function killHalfWay(): Promise<void> {
      while (documents.length > rounds / 2) await sleep(50);
      isKilling = true;
      await service?.kill('SIGKILL');
      service = undefined;
      count('kills');
      service = await spawnService(dataDir, LIMITS);
      isKilling = false;
    }

    const state = { isOver: false };
    const good = sendGoodDocuments(state);
    await Promise.all([...Array.from({ length: STRANGERS }, sendStrangers), killHalfWay()]);
    state.isOver = true;
    await good;
    const last = service;
    await untilIdle(last, 600_000);
    for (const { key, jobId } of jobs) {
      const { status, json, text } = await createClient(last.url, key).get(`/v1/ocr/jobs/${jobId}`);
      if (status !== 200) broken('nothing acknowledged is lost', `${jobId}: ${text.slice(0, 200)}`);
      else if (json.status !== 'completed')
        checkEnd(json.error?.code ?? json.status, `${jobId}: ${text.slice(0, 200)}`);
    }
    checked(jobs.length);
    const leftovers = await waitForNoBlobs(dataDir);
    if (leftovers.length > 0)
      broken('every acknowledged job ends once', `documents without a job: ${leftovers.join()}`);
    const exitCode = await Promise.race([last.kill('SIGTERM'), sleep(MAX_SERVICE_ENDS_MS)]);
    if (exitCode !== 0) broken('the service continues by itself', `it ended with ${exitCode}`);
  },
};

/** Makes documents of each kind in turn, in any order. */
function makeDocuments(times: number): Array<{ kind: string; bytes: Uint8Array }> {
  const bombs = { ...pdfBombs, ...imageBombs, ...crossReferenceBombs, 'a file to rebuild': () => makeRebuildBomb() };
  const makeBombs = Object.values(bombs);
  const good = Object.values(examples).map(({ path }) => new Uint8Array(readFileSync(path)));
  const damaged = fc.sample(mutated(good, ['obj', 'endobj', 'stream', '/Length', '/Kids', '/Filter']), times);
  return Array.from({ length: times }, (_, number) => {
    const makeBomb = makeBombs[randomInt(makeBombs.length)];
    return number % 2 === 0 && makeBomb !== undefined
      ? { kind: 'hostile documents', bytes: makeBomb() }
      : { kind: 'damaged documents', bytes: damaged[number] ?? Buffer.alloc(0) };
  });
}
