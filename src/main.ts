// The only file that touches process.argv, process.exitCode, signals and closed pipes.
import type { Streams } from './context.js';
import { CLIENT_ERRORS, OcrError } from './contract/ocr-error.js';
import { createSink, type Sink } from './io/terminal/sink.js';
import { ProgramRun } from './run.js';

/** Time within which a second signal counts as part of the first. */
const SAME_SIGNAL_MS = 100;
const abort = new AbortController();
// Each of many documents listens for the end of the command; Node 20 would warn of a leak from the eleventh on.
process.getBuiltinModule('node:events').setMaxListeners(0, abort.signal);
const streams = createStreams();
const run = new ProgramRun(process.argv.slice(2), {
  env: process.env,
  io: streams,
  signal: abort.signal,
  end: (reason) => abort.abort(reason),
});
/** Time of the first signal. */
let firstSignalMs = 0;

setHomeIfUnknown();
endOn('SIGINT', 'INTERRUPTED');
endOn('SIGTERM', 'TERMINATED');
endOn('SIGHUP', 'TERMINATED');
// Ctrl+Break on Windows; no other system has it.
endOn('SIGBREAK', 'INTERRUPTED');
process.once('uncaughtException', (error) => void endWith(error));
process.once('unhandledRejection', (error) => void endWith(error));

process.exitCode = await run.run();
// Nobody waits for the rest of an interrupted batch: its documents are not followed to their end.
if (run.isCutShort || abort.signal.aborted || streams.stdout.isClosed) process.exit();

async function endWith(error: unknown): Promise<void> {
  process.exit(await run.report(error));
}

/**
 * The first signal asks the command to end, which says how to go on; the second ends at once. A signal that follows within
 * SAME_SIGNAL_MS is no second one: `timeout` signals the command and then its group, a terminal npm and all that it started.
 */
function endOn(name: NodeJS.Signals, code: 'INTERRUPTED' | 'TERMINATED'): void {
  process.on(name, () => {
    if (abort.signal.aborted && performance.now() - firstSignalMs < SAME_SIGNAL_MS) return;
    if (abort.signal.aborted) process.exit(CLIENT_ERRORS[code].exitCode);
    firstSignalMs = performance.now();
    abort.abort(new OcrError(code, CLIENT_ERRORS[code].meaning, { hint: 'Run the same command again to go on.' }));
  });
}

/**
 * A user whom the system does not know, as in many containers, has no home directory, and Node throws when it is asked
 * for one. Container runtimes set "/", below which nothing can be written: the error then says what to set instead.
 */
function setHomeIfUnknown(): void {
  if (process.env.HOME !== undefined || process.platform === 'win32') return;
  try {
    process.getBuiltinModule('node:os').homedir();
  } catch {
    process.env.HOME = '/';
  }
}

/** Makes each stream on first use: opening a standard stream takes Node a millisecond or two. */
function createStreams(): Streams {
  let stdout: Sink | undefined;
  let stderr: Sink | undefined;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= createSink(process.stdout, 1, abort.signal);
      return stdout;
    },
    get stderr() {
      stderr ??= createSink(process.stderr, 2);
      return stderr;
    },
  };
}
