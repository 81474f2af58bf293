import { afterAll, describe, expect, test } from 'vitest';
import { runTarget } from './run-target.js';
import { targets } from './targets/index.js';

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe.each(targets)('$name', (target) => {
  afterAll(() => target.close?.());

  test(`changed inputs (FUZZ_SEED=${seed}) → no promise broken`, async () => {
    const finding = await runTarget(target, { runs: target.runs, seed });
    const input = finding && Buffer.from(finding.bytes).toString('base64').slice(0, 2000);
    expect(finding?.error, `npm run fuzz -- ${target.name} --seed ${seed} finds ${input}`).toBeUndefined();
  }, 300_000);
});
