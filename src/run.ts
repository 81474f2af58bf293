import { createProgram, readJsonFlag } from './cli.js';
import type { Context, Streams } from './context.js';
import type { Clock } from './contract/clock.js';
import { EXIT, type ExitCode } from './contract/exit-codes.js';
import { explainResourceLack, hasReaderGone, OcrError } from './contract/ocr-error.js';

export interface RunOptions {
  env: NodeJS.ProcessEnv;
  io: Streams;
  /** Aborted with an OcrError when the command is to end: INTERRUPTED, TERMINATED or READER_GONE. */
  signal: AbortSignal;
  /** Aborts `signal`. */
  end: (reason: OcrError) => void;
  clock?: Clock;
}

/**
 * One command line on its way from words, without the name of the program, to an exit code. Errors are reported on the
 * streams; no global of the process is touched, so that tests run it in their own process.
 */
export class ProgramRun {
  readonly #argv: readonly string[];
  readonly #options: RunOptions;
  #context: Context | undefined;
  #isCutShort = false;

  constructor(argv: readonly string[], options: RunOptions) {
    this.#argv = argv;
    this.#options = options;
  }

  /** True when an error ended the run: documents of a batch may still be under way, and nobody waits for them. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  async run(): Promise<ExitCode> {
    const { io } = this.#options;
    try {
      const program = createProgram(
        async ({ flags, start }) => {
          // Help and usage errors need no context.
          const { createContext } = await import('./context.js');
          this.#context = createContext({ flags, ...this.#options });
          await start(this.#context);
        },
        io.stdout.isTerminal ? io.stdout.columns : undefined,
      );
      await program.run([...this.#argv], async (text) => await io.stdout.write(text));
      return this.#exitCode(this.#context?.exitCode ?? EXIT.ok);
    } catch (error) {
      this.#isCutShort = true;
      return await this.report(error);
    } finally {
      await this.#context?.close();
    }
  }

  /** Prints what was thrown, as JSON with --json, and returns the exit code for it. */
  async report(thrown: unknown): Promise<ExitCode> {
    const { io } = this.#options;
    const error = thrown instanceof OcrError ? thrown : (explainResourceLack(thrown) ?? bug(thrown));
    const exitCode = this.#exitCode(error.exitCode);
    const isDebug = this.#context?.flags.debug ?? this.#argv.includes('--debug');
    const isJson = this.#context?.flags.json ?? readJsonFlag(this.#argv);
    if (hasReaderGone(this.#options.signal)) return exitCode;
    try {
      const isReported = isJson && (await reportAsJson(error, io));
      if (!isReported) await this.#reportAsText(error);
      if (isDebug) {
        const [{ hideSecrets }, { makeVisible }] = await Promise.all([
          import('./contract/secrets.js'),
          import('./contract/visible.js'),
        ]);
        await io.stderr.write(hideSecrets(makeVisible(`debug: ${stackOf(error)}\n`)));
      }
    } catch (failure) {
      reportPlainly(failure);
    }
    return exitCode;
  }

  async #reportAsText(error: OcrError): Promise<void> {
    const { io, env } = this.#options;
    const { renderError } = await import('./io/messages/error-text.js');
    const { createStyle } = await import('./io/terminal/style.js');
    const isRefused = this.#argv.includes('--no-color');
    const style = await createStyle({ isTerminal: io.stderr.isTerminal, isRefused, env });
    await io.stderr.write(renderError(error, style));
  }

  /** A reader that went away has had what it wanted. */
  #exitCode(code: ExitCode): ExitCode {
    return this.#options.io.stdout.isClosed ? EXIT.ok : code;
  }
}

/** Returns false when standard output takes nothing, as on a full disk: standard error then gets the error. */
async function reportAsJson(error: OcrError, io: Streams): Promise<boolean> {
  const [{ errorEnvelope }, { createOutput }, { PLAIN_STYLE }] = await Promise.all([
    import('./io/messages/error-text.js'),
    import('./io/output/output.js'),
    import('./io/terminal/style.js'),
  ]);
  const plain = { stdoutStyle: async () => PLAIN_STYLE, isJson: true, isQuiet: true, isDebug: false };
  const output = createOutput({ ...plain, stdout: io.stdout, stderr: io.stderr });
  return await output.json(errorEnvelope(error)).then(
    () => true,
    () => io.stdout.isClosed,
  );
}

/** The last resort when the report itself failed: with too many open files, its modules cannot be loaded. */
function reportPlainly(failure: unknown): void {
  const lack = explainResourceLack(failure);
  try {
    if (lack !== undefined) process.getBuiltinModule('node:fs').writeSync(2, `ocr: ${lack.message}\n${lack.hint}\n`);
  } catch {
    // Nobody is left to tell; the exit code says it.
  }
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
