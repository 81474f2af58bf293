import fc from 'fast-check';
import type { FuzzTarget } from './fuzz-target.js';
import { mutated } from './mutations.js';

/** Growth of the process in one run: twice the largest bound of a parser of ours (64 MiB), and what V8 takes at once. */
const MAX_GROWTH_KIB = 384 * 1024;

export interface Finding {
  bytes: Uint8Array;
  error: Error;
}

export interface FuzzOptions {
  runs: number;
  seed: number;
  /** Called with each input before it runs. */
  onInput?(bytes: Uint8Array): void;
  /** Replaces the target's own seeds. */
  seeds?: readonly Uint8Array[];
}

/** Runs a target on changed seeds. Returns the smallest input that breaks a promise; undefined where none does. */
export async function runTarget(target: FuzzTarget, options: FuzzOptions): Promise<Finding | undefined> {
  const seeds = options.seeds ?? (await target.seeds());
  const property = fc.asyncProperty(mutated(seeds, target.tokens), async (bytes) => {
    options.onInput?.(bytes);
    await runInput(target, bytes);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    numRuns: options.runs,
    seed: options.seed,
  });
  if (!failed) return undefined;
  const error = errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance));
  return { bytes: counterexample?.[0] ?? new Uint8Array(), error };
}

/** Runs a target on one input. Throws where a promise is broken, and where it takes much more memory than the input has bytes. */
export async function runInput(target: FuzzTarget, bytes: Uint8Array): Promise<void> {
  const before = process.resourceUsage().maxRSS;
  await target.run(bytes);
  const growthKiB = process.resourceUsage().maxRSS - before;
  if (growthKiB > MAX_GROWTH_KIB)
    throw new Error(`${bytes.length} bytes took ${Math.round(growthKiB / 1024)} MiB of memory`);
}
