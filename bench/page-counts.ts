import { setTimeout as sleep } from 'node:timers/promises';
import { makeRebuildBomb } from '../test/fixtures/maker/counting-bombs.js';
import { createOrganisations } from './organisations.js';
import { composePdf, makeUnlike, multipart, send, summarise } from './service-calls.js';
import { withService } from './with-service.js';

const MEASURE_MS = 5_000;
const SMALL_CALLS = 20;
const PAUSE_MS = 50;
const ATTACKERS = 8;

/**
 * `npm run bench -- page-counts`: a call for pages that a document does not have is refused by its counter and nothing else, so it
 * times a count. A small organisation's counts are timed alone, and beside an attacker whose counts use up their time.
 */
export async function printPageCounts(): Promise<void> {
  await withService(async ({ url, dataDir, agent, kill }) => {
    const [small = '', attacker = ''] = (await createOrganisations(dataDir, 2)).map(({ key }) => key);
    const count = (key: string, pdf: Buffer, pages: string) =>
      send(agent, `${url}/v1/ocr/TEXT_EXTRACTION`, { 'x-api-key': key }, multipart(pdf, { pages }));
    const countSmall = async () => {
      const answer = await count(small, composePdf(16 * 1024), '9');
      if (answer.status !== 400)
        throw new Error(`a count was answered ${answer.status}: ${answer.json.error?.message}`);
      return answer.ms;
    };
    await countSmall();
    for (const senders of [1, 2]) {
      const until = performance.now() + MEASURE_MS;
      let counted = 0;
      const sendOn = async () => {
        for (; performance.now() < until; counted++) await countSmall();
      };
      await Promise.all(Array.from({ length: senders }, sendOn));
      const rate = ((counted * 1000) / MEASURE_MS).toFixed(0);
      console.log(`${`${senders} sender${senders === 1 ? '' : 's'}`.padEnd(44)} ${rate.padStart(6)} counts/s`);
    }
    const timeSmall = async () => {
      const times: number[] = [];
      for (let i = 0; i < SMALL_CALLS; i++) {
        times.push(await countSmall());
        await sleep(PAUSE_MS);
      }
      return summarise(times);
    };
    const alone = await timeSmall();
    const bomb = makeRebuildBomb();
    let isOver = false;
    const attack = async () => {
      while (!isOver) await count(attacker, makeUnlike(bomb), '1').catch(() => undefined);
    };
    const attacks = Array.from({ length: ATTACKERS }, attack);
    await sleep(2_000);
    const beside = await timeSmall();
    isOver = true;
    console.log(
      `${`a small organisation beside ${ATTACKERS} slow senders`.padEnd(44)} p50 ${beside.p50.toFixed(0).padStart(6)} ms   ` +
        `p95 ${beside.p95.toFixed(0)} ms   alone ${alone.p50.toFixed(0)} ms   ratio ${(beside.p50 / alone.p50).toFixed(1)}`,
    );
    kill();
    await Promise.all(attacks);
  });
}
