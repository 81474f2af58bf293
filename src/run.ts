import { createProgram, readJsonFlag } from './cli.js';
import { type Context, createContext, type Streams } from './context.js';
import { EXIT, type ExitCode } from './contract/exit-codes.js';
import { OcrError } from './contract/ocr-error.js';

export interface RunOptions {
  /** Without the names of Node and of the launcher. */
  argv: string[];
  env: NodeJS.ProcessEnv;
  io: Streams;
  /** Aborted with an OcrError when the command is to end. */
  signal: AbortSignal;
  /** Told what to end with, before what failed is said: should nobody be left to tell, the exit code says it. */
  setExitCode(code: ExitCode): void;
}

/** One command line. */
export interface Run {
  /** Runs it, and says what fails. Resolves with whether it was cut short, and some of its work may still be under way. */
  start(): Promise<{ isCutShort: boolean }>;
  /** Says what failed outside of it. Never rejects. */
  report(thrown: unknown): Promise<void>;
}

/** A command line from its words to its exit code; of the process that it runs in it is given all that it needs. */
export function createRun({ argv, env, io, signal, setExitCode }: RunOptions): Run {
  let context: Context | undefined;

  async function start(): Promise<{ isCutShort: boolean }> {
    try {
      const program = createProgram(async (invocation) => {
        context = createContext({ flags: invocation.flags, env, io, signal });
        await invocation.start(context);
      });
      await program.run(argv, async (text) => await io.stdout.write(text));
      setExitCode(context?.exitCode ?? EXIT.ok);
      return { isCutShort: false };
    } catch (error) {
      await report(error);
      return { isCutShort: true };
    } finally {
      await context?.close();
    }
  }

  async function report(thrown: unknown): Promise<void> {
    const error = thrown instanceof OcrError ? thrown : bug(thrown);
    setExitCode(error.exitCode);
    const isDebug = context?.flags.debug ?? argv.includes('--debug');
    try {
      const isSaid = (context?.flags.json ?? readJsonFlag(argv)) && (await reportAsJson(error));
      if (!isSaid) {
        const { renderError } = await import('./io/error-text.js');
        const { createStyle } = await import('./io/style.js');
        const isRefused = argv.includes('--no-color');
        const style = await createStyle({ isTerminal: io.stderr.isTerminal, isRefused, env });
        await io.stderr.write(renderError(error, style));
      }
      if (isDebug) {
        const [{ hideSecrets }, { makeVisible }] = await Promise.all([
          import('./contract/secrets.js'),
          import('./io/visible.js'),
        ]);
        await io.stderr.write(hideSecrets(makeVisible(`debug: ${stackOf(error)}\n`)));
      }
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
    const output = createOutput({ ...plain, stdout: io.stdout, stderr: io.stderr });
    return await output.json(errorEnvelope(error)).then(
      () => true,
      () => io.stdout.isClosed,
    );
  }

  return { start, report };
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
