import { writeFileSync } from 'node:fs';
import { readCorpus } from './corpus.js';
import { runTarget } from './run-target.js';
import { targets } from './targets/index.js';

// The process of one target: TARGET RUNS SEED FILE. FILE holds the input that runs.

/** Runs between two signs of life: each input of a batch has the same time. */
const ALIVE_MS = 500;

const [name = '', runs = '', seed = '', current = ''] = process.argv.slice(2);
const target = targets.find((one) => one.name === name);
if (target === undefined) throw new Error(`no target ${name}`);
let saidAliveMs = 0;
const finding = await runTarget(target, {
  runs: Number(runs),
  seed: Number(seed),
  seeds: [...(await target.seeds()), ...readCorpus(name).map(([, bytes]) => bytes)],
  onInput(bytes) {
    writeFileSync(current, bytes);
    if (Date.now() - saidAliveMs < ALIVE_MS) return;
    saidAliveMs = Date.now();
    process.send?.({ alive: true });
  },
});
await target.close?.();
if (finding !== undefined) {
  const { bytes, error } = finding;
  const what = error.stack ?? error.message;
  await new Promise((resolve) =>
    process.send?.({ found: Buffer.from(bytes).toString('base64'), what }, undefined, {}, resolve),
  );
}
process.exit(0);
