import { PDF_TYPE } from '../../engine/sniff.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome, Task } from '../documents/protocol.js';
import type { TaskLimits } from '../documents/watch-limits.js';
import type { Log } from '../log.js';
import type { Args } from '../secrets/args-vault.js';
import type { CountDeaths } from './count-deaths.js';
import type { CounterTurns } from './counter-turns.js';

const MIB = 1024 * 1024;
/** Memory of a counter: a PDF of 50 MiB whose cross-references must be rebuilt takes some 300 MiB. */
const COUNTER_MEMORY_BYTES = 512 * MIB;
/** CPU time of a count, and more for each whole MiB. Of 2,542 public PDFs none takes 0.2 s, a rebuild takes 60 ms for each MiB. */
const CPU_MS = 3_000;
const CPU_MS_PER_MIB = 100;
/** Wall time in which a count gets its CPU time, or the machine is too busy. */
const MAX_WALL_PER_CPU = 3;

/** A document whose pages are to be counted. */
interface UncountedDocument {
  sha256: string;
  sizeBytes: number;
  organisationId: string;
  mimeType: string;
  args: Args;
  /** True when the pages are looked at too: whether they need recognition. */
  looksAtPages?: boolean;
  /** Puts the document into the directory of its process; returns its path. */
  handOver(directory: string): Promise<string>;
}

export type CountOutcome = Exclude<Outcome, { type: 'done' | 'rejected' | 'postponed' }>;

interface Count {
  /** Undefined when the turn did not come in time. */
  outcome: CountOutcome | undefined;
  /** Time until the turn came. */
  waitedMs: number;
}

export interface PageCounter {
  /** Counts in a counter, once it is the organisation's turn. */
  count(document: UncountedDocument, maxWaitMs: number): Promise<Count>;
  /** Counts in a process of `pool`, for a job that has one already. An aborted `signal` ends the count as `cancelled`. */
  countIn(
    pool: Pick<DocumentPool, 'perform'>,
    document: UncountedDocument,
    signal?: AbortSignal,
  ): Promise<CountOutcome>;
}

export interface PageCounterOptions {
  config: Pick<ServiceConfig, 'maxPixels' | 'jobMaxAttempts' | 'documentMemoryBytes'>;
  counters: Pick<DocumentPool, 'perform'>;
  turns: Pick<CounterTurns, 'take'>;
  deaths: CountDeaths;
  log: Log;
  /** CPU time of a count, without the part for its size. */
  cpuMs?: number;
  /** Wall time for each of it. */
  maxWallPerCpu?: number;
}

/** Creates the way to the page count of a document. A file whose count died is refused for a while without another count. */
export function createPageCounter(options: PageCounterOptions): PageCounter {
  const { config, counters, turns, deaths, log } = options;
  function findDeath({ sha256 }: UncountedDocument): CountOutcome | undefined {
    const message = deaths.findMessage(sha256);
    return message === undefined ? undefined : { type: 'died', cause: 'timeout', message };
  }

  async function countIn(
    pool: Pick<DocumentPool, 'perform'>,
    document: UncountedDocument,
    signal?: AbortSignal,
  ): Promise<CountOutcome> {
    const known = findDeath(document);
    if (known !== undefined) return known;
    let outcome = await attempt(pool, document, signal);
    // Opening a document proves more about it than the look at its pages.
    if (outcome.type === 'died' && document.looksAtPages === true)
      outcome = await attempt(pool, { ...document, looksAtPages: false }, signal);
    if (outcome.type === 'died') noteDeath(document, outcome);
    return outcome;
  }

  /** Tries again after a crash, since the system may have ended the process, but never for longer than one count may take. */
  async function attempt(
    pool: Pick<DocumentPool, 'perform'>,
    document: UncountedDocument,
    signal: AbortSignal | undefined,
  ): Promise<CountOutcome> {
    const limits = limitsOf(document, options);
    const deadlineMs = performance.now() + limits.timeoutMs;
    const prepare = async (directory: string) => makeTask(document, await document.handOver(directory), config);
    for (let attempts = 1; ; attempts++) {
      const outcome = await pool.perform(document.organisationId, prepare, limits, undefined, signal);
      if (outcome.type === 'done' || outcome.type === 'rejected' || outcome.type === 'postponed')
        throw new Error('counting pages was answered with something else');
      if (outcome.type !== 'died') return outcome;
      if (outcome.cause === 'starved') return { type: 'unavailable', message: outcome.message };
      const isLast = attempts >= config.jobMaxAttempts || performance.now() >= deadlineMs;
      if (outcome.cause !== 'crash' || isLast) return outcome;
    }
  }

  function noteDeath(document: UncountedDocument, { cause, message }: Extract<Outcome, { type: 'died' }>): void {
    const { sha256, organisationId, sizeBytes } = document;
    deaths.note({ sha256, organisationId, message });
    log.warn({ organisation: organisationId, sha256, sizeBytes, cause }, 'a page count ended its process');
  }

  return {
    count: async (document, maxWaitMs) => {
      const known = findDeath(document);
      if (known !== undefined) return { outcome: known, waitedMs: 0 };
      const startedAtMs = performance.now();
      const turn = await turns.take(document.organisationId, maxWaitMs);
      const waitedMs = performance.now() - startedAtMs;
      try {
        // Meanwhile an equal file may have died.
        return { outcome: turn && (await countIn(counters, document)), waitedMs };
      } finally {
        turn?.end();
      }
    },
    countIn,
  };
}

function makeTask(
  { mimeType, args, looksAtPages = false }: UncountedDocument,
  path: string,
  { maxPixels }: Pick<ServiceConfig, 'maxPixels'>,
): Task {
  const password = typeof args.password === 'string' ? args.password : undefined;
  const pages = typeof args.pages === 'string' ? args.pages : undefined;
  return { type: 'count-pages', path, mimeType, password, pages, maxPixels, looksAtPages };
}

/** Returns the bound on the memory of a counter. */
export function limitCounterMemory({ documentMemoryBytes }: Pick<ServiceConfig, 'documentMemoryBytes'>): number {
  return Math.min(COUNTER_MEMORY_BYTES, documentMemoryBytes);
}

function limitsOf(
  { sizeBytes, mimeType }: UncountedDocument,
  {
    config,
    cpuMs: baseMs = CPU_MS,
    maxWallPerCpu = MAX_WALL_PER_CPU,
  }: Pick<PageCounterOptions, 'config' | 'cpuMs' | 'maxWallPerCpu'>,
): TaskLimits {
  const cpuMs = baseMs + Math.floor(sizeBytes / MIB) * CPU_MS_PER_MIB;
  const timeoutMs = cpuMs * maxWallPerCpu;
  // A count reports no progress: its end is the first.
  return {
    cpuMs,
    timeoutMs,
    idleTimeoutMs: timeoutMs * 2,
    memoryBytes: limitCounterMemory(config),
    // The decoder of an image spoils a process for other organisations.
    ...(mimeType === PDF_TYPE ? {} : { leavesReadyTo: 'its-user' }),
  };
}
