import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDrawings } from '../test/fixtures/maker/drawings.js';
import { ROOT } from './ocr-command.js';
import { createOrganisations } from './organisations.js';
import { type Answer, composePdf, makeUnlike, multipart, send, summarise } from './service-calls.js';
import { withService } from './with-service.js';

const CALLS = 40;
const PAUSE_MS = 100;
const SETTLE_MS = 4_000;
/** A scenario in which calls take long ends with fewer of them. */
const MAX_SCENARIO_MS = 90_000;

interface Scenario {
  name: string;
  organisations: number;
  sendersOfEach: number;
  read(): Buffer;
}

const fixture = (name: string) => () => readFileSync(join(ROOT, 'test/fixtures', name));

const SCENARIOS: Scenario[] = [
  { name: '45 senders of one organisation', organisations: 1, sendersOfEach: 45, read: fixture('paragraph.png') },
  { name: '45 senders of three', organisations: 3, sendersOfEach: 15, read: fixture('paragraph.png') },
  {
    name: '45 organisations, one sender each',
    organisations: 45,
    sendersOfEach: 1,
    read: fixture('paragraph.png'),
  },
  {
    name: '4 senders of 100 scanned pages',
    organisations: 1,
    sendersOfEach: 4,
    read: fixture('hundred-scanned.pdf'),
  },
  {
    name: '8 senders of 18 pages full of drawings',
    organisations: 1,
    sendersOfEach: 8,
    read: () => makeDrawings(18, () => 8_000),
  },
];

/** `npm run bench -- fairness`: the calls of a small organisation, alone and beside greedy ones, one after the other. */
export async function printFairness(): Promise<void> {
  for (const scenario of SCENARIOS) await printScenario(scenario);
}

async function printScenario({ name, organisations, sendersOfEach, read }: Scenario): Promise<void> {
  await withService(async ({ url, dataDir, agent, kill }) => {
    const [small = '', late = '', ...greedy] = (await createOrganisations(dataDir, organisations + 2)).map(
      ({ key }) => key,
    );
    const post = (key: string, body: Buffer) =>
      send(agent, `${url}/v1/ocr/TEXT_EXTRACTION`, { 'x-api-key': key }, multipart(body));
    const call = (key: string) => post(key, composePdf(16 * 1024));
    const callSmall = () => call(small);
    await measure(callSmall);
    const idle = await measure(callSmall);
    const state = { isOver: false, ended: 0 };
    const bytes = read();
    const senders = greedy.flatMap((key) =>
      Array.from({ length: sendersOfEach }, () => sendOnAndOn(state, () => post(key, makeUnlike(bytes)))),
    );
    await sleep(SETTLE_MS);
    const before = state.ended;
    const startedAt = performance.now();
    const beside = await measure(callSmall);
    const { ms: firstMs } = await call(late);
    const rate = ((state.ended - before) * 1000) / (performance.now() - startedAt);
    state.isOver = true;
    console.log(
      `${`beside ${name}`.padEnd(44)} p50 ${beside.p50.toFixed(0).padStart(6)} ms   p95 ${beside.p95.toFixed(0).padStart(6)} ms   ` +
        `alone ${idle.p50.toFixed(0)} ms   ratio ${(beside.p50 / idle.p50).toFixed(1)}   goal ≤ 10   first call of another ${firstMs.toFixed(0)} ms   (${rate.toFixed(1)} greedy answers/s)`,
    );
    kill();
    await Promise.all(senders);
  });
}

async function sendOnAndOn(state: { isOver: boolean; ended: number }, post: () => Promise<Answer>): Promise<void> {
  while (!state.isOver) {
    const answer = await post().catch(() => undefined);
    if (answer === undefined) return;
    state.ended++;
    // A job goes into the queue at once: ten a second of each sender are greedy enough.
    if (answer.status === 202) await sleep(100);
  }
}

async function measure(call: () => Promise<Answer>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  const deadline = performance.now() + MAX_SCENARIO_MS;
  while (times.length < CALLS && (times.length < 5 || performance.now() < deadline)) {
    times.push((await call()).ms);
    await sleep(PAUSE_MS);
  }
  return summarise(times);
}
