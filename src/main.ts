import { createProgram, readJsonFlag } from './cli.js';
import { type Context, createContext, type Streams } from './context.js';
import { EXIT, type ExitCode } from './contract/exit-codes.js';
import { CLIENT_ERRORS, explainLack, OcrError } from './contract/ocr-error.js';
import { createSink, type Sink } from './io/sink.js';

/** The only file that touches process.argv, process.exitCode, signals and closed pipes. */
const argv = process.argv.slice(2);
const SAME_SIGNAL_MS = 100;
const abort = new AbortController();
// Each of many documents listens for the end of the command; Node 20 would warn of a leak from the eleventh on.
process.getBuiltinModule('node:events').setMaxListeners(0, abort.signal);
const streams = createStreams();
let context: Context | undefined;
let isCutShort = false;
/** When the first signal came. */
let askedAtMs = 0;

giveHome();
endOn('SIGINT', 'INTERRUPTED');
endOn('SIGTERM', 'TERMINATED');
endOn('SIGHUP', 'TERMINATED');
process.once('uncaughtException', (error) => void report(error).finally(() => process.exit()));
process.once('unhandledRejection', (error) => void report(error).finally(() => process.exit()));

try {
  const program = createProgram(async ({ flags, start }) => {
    context = createContext({ flags, env: process.env, io: streams, signal: abort.signal });
    await start(context);
  });
  await program.run(argv, async (text) => await streams.stdout.write(text));
  setExitCode(context?.exitCode ?? EXIT.ok);
} catch (error) {
  isCutShort = true;
  await report(error);
} finally {
  await context?.close();
  // Documents of a batch that nobody waits for any more are not followed to their end.
  if (isCutShort || streams.stdout.isClosed) process.exit();
}

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

async function report(thrown: unknown): Promise<void> {
  const error = thrown instanceof OcrError ? thrown : (explainLack(thrown) ?? bug(thrown));
  setExitCode(error.exitCode);
  const isDebug = context?.flags.debug ?? argv.includes('--debug');
  try {
    const isSaid = (context?.flags.json ?? readJsonFlag(argv)) && (await reportAsJson(error));
    if (!isSaid) {
      const { renderError } = await import('./io/error-text.js');
      const { createStyle } = await import('./io/style.js');
      const isRefused = argv.includes('--no-color');
      const style = await createStyle({ isTerminal: streams.stderr.isTerminal, isRefused, env: process.env });
      await streams.stderr.write(renderError(error, style));
    }
    if (isDebug) {
      const [{ hideSecrets }, { makeVisible }] = await Promise.all([
        import('./contract/secrets.js'),
        import('./io/visible.js'),
      ]);
      await streams.stderr.write(hideSecrets(makeVisible(`debug: ${stackOf(error)}\n`)));
    }
  } catch (failure) {
    reportPlainly(failure);
  }
}

/** Where the report failed itself: what renders it cannot be loaded where too many files are open. */
function reportPlainly(failure: unknown): void {
  const lack = explainLack(failure);
  try {
    if (lack !== undefined) process.getBuiltinModule('node:fs').writeSync(2, `ocr: ${lack.message}\n${lack.hint}\n`);
  } catch {
    // Nobody is left to tell; the exit code says it.
  }
}

/** False where standard output takes nothing, as on a full disk: then it is said on standard error. */
async function reportAsJson(error: OcrError): Promise<boolean> {
  const [{ errorEnvelope }, { createOutput }, { PLAIN_STYLE }] = await Promise.all([
    import('./io/error-text.js'),
    import('./io/output.js'),
    import('./io/style.js'),
  ]);
  const plain = { stdoutStyle: async () => PLAIN_STYLE, isJson: true, isQuiet: true, isDebug: false };
  const output = createOutput({ ...streams, ...plain, stdout: streams.stdout, stderr: streams.stderr });
  return await output.json(errorEnvelope(error)).then(
    () => true,
    () => streams.stdout.isClosed,
  );
}

function setExitCode(code: ExitCode): void {
  // A reader that went away has had what it wanted.
  process.exitCode = streams.stdout.isClosed ? EXIT.ok : code;
}

function bug(thrown: unknown): OcrError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new OcrError('BUG', `This is a bug in ocr: ${message.split('\n')[0]}`, {
    hint: 'Run again with --debug to see where.',
    cause: thrown,
  });
}

function stackOf(error: OcrError): string {
  const { cause } = error;
  const own = error.stack ?? error.message;
  return cause instanceof Error ? `${own}\ncaused by ${cause.stack ?? cause.message}` : own;
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
      stdout ??= createSink(process.stdout, 1);
      return stdout;
    },
    get stderr() {
      stderr ??= createSink(process.stderr, 2);
      return stderr;
    },
  };
}
