import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCorpus, saveToCorpus } from './corpus.js';
import { targets } from './targets/index.js';

// npm run fuzz -- [TARGET…] [--runs N] [--seed S] [--rounds N]: see README.md.

/** Time of one input after which a run counts as endless. */
const MAX_RUN_MS = 20_000;
const WATCH_MS = 1_000;
const MAX_HEAP_MIB = 1024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const names = positionals.length > 0 ? positionals : targets.map(({ name }) => name);
for (const name of names) {
  if (!targets.some((target) => target.name === name))
    throw new Error(`no target ${name}: ${targets.map((target) => target.name).join(', ')}`);
}
for (const name of names) {
  const started = Date.now();
  const failed = await runInChild(name, values.runs, values.seed);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${name}: ${values.runs} runs, seed ${values.seed}, ${seconds} s: ${failed ?? 'nothing found'}`);
  if (failed !== undefined) process.exitCode = 1;
}

/**
 * Runs a target in a process of its own, so that an input that never ends, or ends the process, is found too. Returns what was
 * found, after it is saved to the corpus.
 */
async function runInChild(name: string, runs: string, seed: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-fuzz-'));
  const current = join(folder, 'current');
  const program = fileURLToPath(new URL('./fuzz-child.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MAX_HEAP_MIB}`, '--import', 'tsx', program, name, runs, seed, current],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  let lastInputMs = Date.now();
  let finding: { bytes: Uint8Array; what: string } | undefined;
  child.on('message', (message: { alive?: true; found?: string; what?: string }) => {
    lastInputMs = Date.now();
    if (message.found !== undefined)
      finding = { bytes: Buffer.from(message.found, 'base64'), what: message.what ?? '' };
  });
  const watch = setInterval(() => {
    if (Date.now() - lastInputMs < MAX_RUN_MS) return;
    finding ??= { bytes: readFileSync(current), what: `no end after ${MAX_RUN_MS / 1000} s` };
    child.kill('SIGKILL');
  }, WATCH_MS);
  const ended = await new Promise<string>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  clearInterval(watch);
  if (finding === undefined && ended !== 'exit code 0')
    finding = { bytes: readFileSync(current), what: `the process ended with ${ended}` };
  rmSync(folder, { recursive: true });
  if (finding === undefined) return undefined;
  return `${finding.what}\n  ${saveToCorpus(name, finding.bytes)} (${readCorpus(name).length} in the corpus)`;
}
