import type { Streams } from './context.js';
import { EXIT, type ExitCode } from './contract/exit-codes.js';
import { CLIENT_ERRORS, OcrError } from './contract/ocr-error.js';
import { createSink, type Sink } from './io/sink.js';
import { createRun } from './run.js';

/** The only file that touches process.argv, process.exitCode, signals and closed pipes. */
const SAME_SIGNAL_MS = 100;
const abort = new AbortController();
// Each of many documents listens for the end of the command; Node 20 would warn of a leak from the eleventh on.
process.getBuiltinModule('node:events').setMaxListeners(0, abort.signal);
const streams = createStreams();
const run = createRun({
  argv: process.argv.slice(2),
  env: process.env,
  io: streams,
  signal: abort.signal,
  setExitCode,
});
/** When the first signal came. */
let askedAtMs = 0;

giveHome();
endOn('SIGINT', 'INTERRUPTED');
endOn('SIGTERM', 'TERMINATED');
endOn('SIGHUP', 'TERMINATED');
process.once('uncaughtException', (error) => void run.report(error).finally(() => process.exit()));
process.once('unhandledRejection', (error) => void run.report(error).finally(() => process.exit()));

const { isCutShort } = await run.start();
// Documents of a batch that nobody waits for any more are not followed to their end.
if (isCutShort || streams.stdout.isClosed) process.exit();

/**
 * The first signal asks the command to end, which says how to go on; the second ends at once. One that comes with the first
 * is no second: `timeout` signals the command and then its group, a terminal npm and all that it started.
 */
function endOn(name: NodeJS.Signals, code: 'INTERRUPTED' | 'TERMINATED'): void {
  process.on(name, () => {
    if (abort.signal.aborted && performance.now() - askedAtMs < SAME_SIGNAL_MS) return;
    if (abort.signal.aborted) process.exit(CLIENT_ERRORS[code].exitCode);
    askedAtMs = performance.now();
    abort.abort(new OcrError(code, CLIENT_ERRORS[code].meaning, { hint: 'Run the same command again to go on.' }));
  });
}

/**
 * A user whom the system does not know, as in many containers, has no home directory, and Node throws where one is asked
 * for. Container runtimes set "/" for them, below which nothing can be written: then it is said what to set instead.
 */
function giveHome(): void {
  if (process.env.HOME !== undefined || process.platform === 'win32') return;
  try {
    process.getBuiltinModule('node:os').homedir();
  } catch {
    process.env.HOME = '/';
  }
}

function setExitCode(code: ExitCode): void {
  // A reader that went away has had what it wanted.
  process.exitCode = streams.stdout.isClosed ? EXIT.ok : code;
}

/** Made when they are first used: opening a standard stream takes Node a millisecond or two. */
function createStreams(): Streams {
  let stdout: Sink | undefined;
  let stderr: Sink | undefined;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= createSink(process.stdout, 1, 'standard output');
      return stdout;
    },
    get stderr() {
      stderr ??= createSink(process.stderr, 2, 'standard error');
      return stderr;
    },
  };
}
