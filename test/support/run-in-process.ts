import { setMaxListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CLIENT_ERRORS, OcrError } from '../../dist/contract/ocr-error.js';
import { LANGUAGE_FOLDERS_VARIABLE } from '../../dist/engine/stages/recognise/languages.js';
import { ProgramRun } from '../../dist/run.js';
import type { Clock } from '../../src/contract/clock.js';
import type { Sink } from '../../src/io/terminal/sink.js';
import { checkJson } from './check-json.js';
import type { CliRun, RunOptions } from './run-cli.js';
import { createSkippingClock, type SkippingClock } from './skipping-clock.js';
import type { TemporaryHome } from './temporary-home.js';

/** Modules that commands import when they run. The engine, the service and its store run in processes of their own. */
const DIST = new URL('../../dist/', import.meta.url);
const modules = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.js') && !/^(?:engine|functions|service|store)\/|^main\.js$/.test(name),
);
// Loaded before the first command: a module that is on its way is work that the clock does not see, and it would skip.
await Promise.all(modules.map((name) => import(new URL(name, DIST).href)));
await Promise.all(
  ['chalk', 'cli-table3', 'conf', 'env-paths', 'file-type', 'string-width'].map((name) => import(name)),
);

export interface InProcessOptions extends RunOptions {
  /** The clock of the command; by default the one of its home, which skips every wait. */
  clock?: Clock;
}

/** A command that runs in the process of the tests. */
export interface InProcessRun extends Promise<CliRun> {
  /** Text that the command has written so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Asks the command to end, as a signal does that the process gets. */
  kill(signal: 'SIGINT' | 'SIGTERM'): void;
}

const clocks = new WeakMap<TemporaryHome, SkippingClock>();

/** The clock of all commands that run in-process in a home: for the next one the time goes on where the last one left it. */
export function clockOf(home: TemporaryHome): SkippingClock {
  const clock = clocks.get(home) ?? createSkippingClock();
  clocks.set(home, clock);
  return clock;
}

/**
 * Runs a command line as `runCli` does, with the same result, but in this process: through pipes, without bin/ocr.js and
 * without waiting. JSON on standard output is held against docs/schemas. Not for what only a process can show: signals,
 * closed pipes, file descriptors, NODE_* variables, a real terminal.
 */
export async function runInProcess(args: readonly string[], options: InProcessOptions): Promise<CliRun> {
  return await startInProcess(args, options);
}

/** Like `runInProcess`, for tests that watch the command while it runs. */
export function startInProcess(args: readonly string[], options: InProcessOptions): InProcessRun {
  const { input } = options;
  const stdin = Readable.from(input === undefined || input.length === 0 ? [] : [Buffer.from(input as string)], {
    objectMode: false,
  });
  const [stdout, stderr] = [new PipeSink(), new PipeSink()];
  const { ended, kill } = start(args, options, { stdin: stdin as NodeJS.ReadStream, stdout, stderr });
  const checked = ended.then(async (exitCode) => {
    await checkJson(args, stdout.text);
    return { exitCode, signal: undefined, stdout: stdout.text, stderr: stderr.text };
  });
  return Object.defineProperties(checked as InProcessRun, {
    stdout: { get: () => stdout.text },
    stderr: { get: () => stderr.text },
    kill: { value: kill },
  });
}

function start(
  args: readonly string[],
  { home, env, cwd = home.dir, clock = clockOf(home) }: Omit<InProcessOptions, 'input'>,
  io: { stdin: NodeJS.ReadStream; stdout: Sink; stderr: Sink },
): { ended: Promise<number>; kill: InProcessRun['kill'] } {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const whole: Record<string, string> = { ...home.env, ...env };
  for (const name of ['OCR_CONFIG_DIR', 'OCR_STATE_DIR', 'OCR_DATA_DIR']) {
    // env-paths looks for the home directory once in a process: it would be that of whoever runs the tests.
    if (!whole[name]) throw new Error(`A command without ${name} needs a process: use runCli`);
  }
  const leave = enter({ cwd, home: whole.HOME, temporary: whole.TMPDIR });
  const run = new ProgramRun(args, {
    env: whole,
    io,
    signal: abort.signal,
    end: (reason) => abort.abort(reason),
    clock,
  });
  return {
    ended: run.run().finally(() => {
      // A process would end here; what an error left under way ends at its next wait.
      abort.abort(new OcrError('INTERRUPTED', 'The run in-process is over'));
      io.stdin.destroy();
      leave();
      endSubmissions(whole.OCR_STATE_DIR);
    }),
    kill(signal) {
      const code = signal === 'SIGINT' ? 'INTERRUPTED' : 'TERMINATED';
      const hint = 'Run the same command again to go on.';
      abort.abort(new OcrError(code, CLIENT_ERRORS[code].meaning, { hint }));
    },
  };
}

/** A process id that no system gives: above the largest pid_max of Linux (proc(5)). */
const ENDED_PROCESS = 4_194_305;

/** Records name the process that sends them, which ends with its command: another one takes them for interrupted then. */
function endSubmissions(stateDir: string | undefined): void {
  if (running > 0 || !stateDir) return;
  const directory = join(stateDir, 'submissions', 'open');
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.json'))) {
    const path = join(directory, name);
    const text = readFileSync(path, 'utf8');
    const ended = text.replace(`"sender": "${process.pid}-`, `"sender": "${ENDED_PROCESS}-`);
    if (ended !== text) writeFileSync(path, ended);
  }
}

/** The state of the process that a command reads or changes beside its context. */
interface ProcessState {
  cwd: string;
  /** For os.homedir(). */
  home: string | undefined;
  /** For os.tmpdir(). */
  temporary: string | undefined;
}

let running = 0;
let current: ProcessState | undefined;
let restore = () => {};

/** Gives the process the state that a command of its own would have. Commands may overlap where theirs is the same. */
function enter(state: ProcessState): () => void {
  if (running > 0 && JSON.stringify(current) !== JSON.stringify(state)) {
    throw new Error('Commands in one process cannot overlap with different directories: use runCli');
  }
  if (running++ === 0) {
    const before = { cwd: process.cwd(), home: process.env.HOME, temporary: process.env.TMPDIR };
    // Commands set these for good: `ocr admin` the mask, those that read languages their folders.
    const umask = process.umask();
    const folders = process.env[LANGUAGE_FOLDERS_VARIABLE];
    restore = () => {
      process.umask(umask);
      setVariable(LANGUAGE_FOLDERS_VARIABLE, folders);
      apply(before);
    };
    apply(state);
    current = state;
  }
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    if (--running === 0) restore();
  };
}

function apply({ cwd, home, temporary }: ProcessState): void {
  process.chdir(cwd);
  setVariable('HOME', home);
  setVariable('TMPDIR', temporary);
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** A pipe whose reader takes everything at once. */
class PipeSink implements Sink {
  readonly isTerminal = false;
  readonly columns = 80;
  readonly isClosed = false;
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  watchReader(): void {}

  async write(text: string | Uint8Array): Promise<void> {
    this.#chunks.push(Buffer.from(text as string));
  }
}
