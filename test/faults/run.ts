// Faults of the system under a running service, one file of faults/ each, with a table at the end:
//   npm run test:faults [-- <name of a file> …]
// FAULT_ROUNDS sets the rounds of every fault. All services are on loopback, on ports and directories of their own.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTILE_PROGRAM } from '../contract/support/running-service.js';
import { killSpawnedServices, spawnService } from '../contract/support/spawned-service.js';
import { createFaultShim, explainLackOfShim, type FaultShim } from '../support/fault-shim/fault-shim.js';
import { checkPromises } from './check-promises.js';
import type { Fault, FaultRun, Promised } from './fault.js';

/** Ends a fault that this machine cannot make. */
class Skipped extends Error {}

/** Broken promises of one kind that are printed in full. */
const MAX_PRINTED = 5;

interface Row {
  fault: string;
  rounds: number;
  faults: number;
  documents: number;
  seconds: number;
  broken: string;
}

const FAULTS = new URL('./faults/', import.meta.url);
const names = readdirSync(FAULTS)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`No such fault: ${unknown.join()}; there are ${names.join()}`);
if (!existsSync(new URL('../../dist/service/serve.js', import.meta.url))) throw new Error('Run npm run build first');

const rows: Row[] = [];
for (const name of wanted.length > 0 ? wanted : names) {
  const { fault } = (await import(new URL(`${name}.ts`, FAULTS).href)) as { fault: Fault };
  process.stdout.write(`${name}: ${fault.name} …\n`);
  const row = await runFault(fault);
  rows.push(row);
}
console.table(rows);
process.exitCode = rows.every(({ broken }) => broken === 'none' || broken.startsWith('skipped')) ? 0 : 1;

async function runFault(fault: Fault): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-fault-'));
  const shims: FaultShim[] = [];
  const counts = new Map<string, number>();
  const breaks = new Map<Promised, number>();
  const rounds = Number(process.env.FAULT_ROUNDS ?? fault.rounds);
  const startedAt = performance.now();
  let directories = 0;
  /** Acknowledged documents that were checked. */
  let documents = 0;
  let ended: string | undefined;
  const run: FaultRun = {
    rounds,
    createDirectory: () => mkdtempSync(join(directory, 'data-')),
    createShim: (dataDir, options) => {
      const lack = explainLackOfShim();
      if (lack !== undefined) throw new Skipped(lack);
      const shim = createFaultShim(dataDir, join(directory, `shim-${directories++}`), options);
      shims.push(shim);
      return shim;
    },
    skip: (reason) => {
      throw new Skipped(reason);
    },
    check: async (dataDir, senders) => {
      const start = () => spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM);
      await checkPromises(dataDir, senders, start, run.broken);
      documents += senders.sent.filter(({ requestId }) => requestId !== undefined).length;
    },
    checked: (more) => {
      documents += more;
    },
    broken: (promise, details) => {
      const times = (breaks.get(promise) ?? 0) + 1;
      breaks.set(promise, times);
      if (times <= MAX_PRINTED) process.stdout.write(`  BROKEN: ${promise}: ${details}\n`);
    },
    count: (what, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by),
  };
  try {
    await fault.run(run);
  } catch (error) {
    if (error instanceof Skipped) ended = `skipped: ${error.message}`;
    else ended = `the fault itself failed: ${error instanceof Error ? error.stack : error}`;
  } finally {
    killSpawnedServices();
    for (const shim of shims) shim.close();
    rmSync(directory, { recursive: true, force: true });
  }
  const faults = [...counts.values()].reduce((sum, times) => sum + times, 0);
  if (ended === undefined && faults === 0) ended = 'no fault happened';
  process.stdout.write(`  ${[...counts].map(([what, times]) => `${times} ${what}`).join(', ')}\n`);
  return {
    fault: fault.name,
    rounds,
    faults,
    documents,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    broken: ended ?? ([...breaks].map(([promise, times]) => `${promise} (${times})`).join('; ') || 'none'),
  };
}
