import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type Context, createContext, type GlobalFlags } from '../../src/context.js';
import type { Clock } from '../../src/contract/clock.js';
import type { Sink } from '../../src/io/terminal/sink.js';
import type { SubmissionRecord } from '../../src/ledger/record.js';
import { createHome } from './temporary-home.js';

/** Targets of a command's standard output: a terminal, a pipe, a pipe with --json. */
const TARGETS = ['terminal', 'pipe', 'json'] as const;
export type Target = (typeof TARGETS)[number];

export interface FakeContext {
  context: Context;
  /** Text on standard output so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Moves the clock on. */
  pass(ms: number): void;
}

export interface FakeContextOptions {
  flags?: Partial<GlobalFlags>;
  env?: Record<string, string>;
  /** Width of the terminal. */
  columns?: number;
  /** Unix milliseconds of the clock, which stands still; its sleeps end at once. */
  nowMs?: number;
}

/** Creates a real context with a home of its own and with streams that keep what is written. */
export function fakeContext(
  target: Target,
  { flags, env, columns = 100, nowMs = 0 }: FakeContextOptions = {},
): FakeContext {
  let passedMs = 0;
  const home = createHome();
  const sinkColumns = target === 'terminal' ? columns : undefined;
  const [stdout, stderr] = [createKeepingSink(sinkColumns), createKeepingSink(sinkColumns)];
  const clock: Clock = { now: () => nowMs + passedMs, monotonicMs: () => passedMs, sleep: async () => {} };
  const context = createContext({
    flags: { json: target === 'json', quiet: false, debug: false, color: false, input: false, ...flags },
    env: { ...home.env, ...env },
    io: { stdin: Readable.from([]) as NodeJS.ReadStream, stdout, stderr },
    signal: new AbortController().signal,
    end: () => {},
    clock,
  });
  onTestFinished(async () => {
    await context.close();
    home.remove();
  });
  return {
    context,
    get stdout() {
      return stdout.text;
    },
    get stderr() {
      return stderr.text;
    },
    pass(ms) {
      passedMs += ms;
    },
  };
}

interface KeepingSink extends Sink {
  readonly text: string;
}

/** @param columns of a terminal; undefined for a pipe */
function createKeepingSink(columns: number | undefined): KeepingSink {
  const chunks: Buffer[] = [];
  return {
    isTerminal: columns !== undefined,
    columns: columns ?? 80,
    isClosed: false,
    watchReader: () => {},
    async write(text) {
      chunks.push(Buffer.from(text as string));
    },
    get text() {
      return Buffer.concat(chunks).toString();
    },
  };
}

/** Records a submission in a context's ledger, as a command that sent it would; `end` finishes it. */
export async function recordSubmission(
  context: Context,
  name: string,
  changes: Partial<SubmissionRecord> = {},
  end?: Partial<SubmissionRecord> & { status: string },
): Promise<SubmissionRecord> {
  const ledger = await context.ledger();
  const { record } = await ledger.begin({
    input: { name, sha256: 'ab'.repeat(32), sizeBytes: 9 },
    function: 'TEXT_EXTRACTION',
    args: {},
    serverId: await context.serverId(),
    profile: 'local',
    command: 'extract',
  });
  const updated = await ledger.update(record, changes);
  if (end !== undefined) await ledger.finish(updated, end);
  return updated;
}
