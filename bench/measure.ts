import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.js';

export interface Command {
  file: string;
  args: string[];
  env?: Record<string, string>;
}

export interface Sample {
  wallMs: number;
  /** User and system time of the process and of the children that it waited for. */
  cpuMs: number;
  /** The largest it was; 0 where it was not asked for. */
  peakMemoryBytes: number;
}

export interface Comparison {
  ours: Sample;
  baseline: Sample;
  /** Median of the ratios ours/baseline, pair by pair: holds when the machine's speed drifts. */
  wallRatio: number;
  cpuRatio: number;
  memoryRatio: number;
}

/** Runs two commands in turn (A B A B …) after one warm-up each; every figure is a median. */
export function compare(ours: Command, baseline: Command, runs: number): Comparison {
  runOnce(ours);
  runOnce(baseline);
  const pairs = Array.from({ length: runs }, () => ({ ours: runOnce(ours), baseline: runOnce(baseline) }));
  const of = (pick: (pair: (typeof pairs)[number]) => number) => median(pairs.map(pick));
  const sample = (side: 'ours' | 'baseline'): Sample => ({
    wallMs: of((pair) => pair[side].wallMs),
    cpuMs: of((pair) => pair[side].cpuMs),
    peakMemoryBytes: of((pair) => pair[side].peakMemoryBytes),
  });
  return {
    ours: sample('ours'),
    baseline: sample('baseline'),
    wallRatio: of((pair) => pair.ours.wallMs / pair.baseline.wallMs),
    cpuRatio: of((pair) => pair.ours.cpuMs / pair.baseline.cpuMs),
    memoryRatio: of((pair) => pair.ours.peakMemoryBytes / pair.baseline.peakMemoryBytes),
  };
}

/** One run of a whole process, timed by bash's own `time`: the system's accounting, not ours. */
export function runOnce(command: Command): Sample {
  const script = 'exec 3>&2; { time "$@" >/dev/null 2>/dev/null; } 2>&3';
  const child = spawnSync('bash', ['-c', script, 'bash', command.file, ...command.args], {
    encoding: 'utf8',
    env: { ...process.env, TIMEFORMAT: '%R %U %S', LC_ALL: 'C', ...command.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.status !== 0)
    throw new Error(`${command.file} ${command.args.join(' ')} ended with ${child.status}: ${child.stderr}`);
  const [wall = 0, user = 0, system = 0] = child.stderr.trim().split(' ').map(Number);
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, peakMemoryBytes: readPeakMemory() };
}

const memoryFile = join(tmpdir(), `ocr-bench-memory-${process.pid}`);

/** A command of Node's that says how much memory it took; costs a little time. */
export function withMemoryProbe(command: Command): Command {
  const probe = fileURLToPath(new URL('memory-probe.cjs', import.meta.url));
  return { ...command, env: { ...command.env, NODE_OPTIONS: `--require ${probe}`, OCR_BENCH_MEMORY_FILE: memoryFile } };
}

function readPeakMemory(): number {
  if (!existsSync(memoryFile)) return 0;
  const kib = Number(readFileSync(memoryFile, 'utf8'));
  rmSync(memoryFile);
  return kib * 1024;
}

/** Returns a command's place on PATH; undefined where it is not installed. */
export function findCommand(name: string): string | undefined {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return join(directory, name);
    } catch {
      // not here
    }
  }
  return undefined;
}
