import type { ApiClient } from './api/client.js';
import type { Clock } from './contract/clock.js';
import { EXIT, type ExitCode } from './contract/exit-codes.js';
import { CLIENT_ERRORS, hasReaderGone, OcrError } from './contract/ocr-error.js';
import { createOutput, type Output } from './io/output/output.js';
import type { Sink } from './io/terminal/sink.js';
import type { Style } from './io/terminal/style.js';
import type { Ledger } from './ledger/ledger.js';
import type { Directories } from './settings/directories.js';
import type { Settings } from './settings/resolve-settings.js';
import type { ActiveService } from './submission-lifecycle/choose-record.js';

/** The flags of every command. */
export interface GlobalFlags {
  profile?: string;
  baseUrl?: string;
  json: boolean;
  quiet: boolean;
  debug: boolean;
  color: boolean;
  input: boolean;
  timeoutMs?: number;
}

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** Everything that a command gets. Costly parts are made on first use, and once. */
export interface Context {
  readonly flags: GlobalFlags;
  readonly env: NodeJS.ProcessEnv;
  /** The version of this tool. */
  readonly version: string;
  readonly clock: Clock;
  /** Aborted with an OcrError when the command is to end: INTERRUPTED, TERMINATED or READER_GONE. */
  readonly signal: AbortSignal;
  readonly io: Streams;
  readonly output: Output;
  /** The exit code of a command that has reported its failures itself; an error that it throws decides instead. */
  exitCode: ExitCode;
  stdoutStyle(): Promise<Style>;
  stderrStyle(): Promise<Style>;
  directories(): Promise<Directories>;
  settings(): Promise<Settings>;
  ledger(): Promise<Ledger>;
  /** The client of the service in use, or of another that settings name. @throws OcrError CONFIG_INVALID, NO_API_KEY */
  api(settings?: Settings): Promise<ApiClient>;
  /** The id that the ledger has for that service; the service is not looked for. */
  serverId(settings?: Settings): Promise<string>;
  /** The service that commands without an explicit id act on. @throws OcrError CONFIG_INVALID about a flag */
  activeService(): Promise<ActiveService>;
  /**
   * Prints an error: on standard error, or with --json as an envelope on standard output. `input` names one of several
   * inputs; `compact` keeps the JSON on one line.
   */
  report(error: OcrError, options?: { input?: string; compact?: boolean }): Promise<void>;
  /** From now on the command only waits for what it will print: it ends when the reader of standard output has gone. */
  endWithReader(): void;
  /** Returns a context for the same command line that another signal ends. It is closed by itself. */
  withSignal(signal: AbortSignal): Context;
  /** Closes the connections. */
  close(): Promise<void>;
}

export interface ContextOptions {
  flags: GlobalFlags;
  env: NodeJS.ProcessEnv;
  io: Streams;
  signal: AbortSignal;
  /** Aborts `signal`. */
  end: (reason: OcrError) => void;
  clock?: Clock;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => await (await import('./contract/sleep.js')).sleep(ms, signal),
};

export function createContext({ flags, env, io, signal, end, clock = SYSTEM_CLOCK }: ContextOptions): Context {
  const styleOf = async ({ isTerminal }: Sink) =>
    await (await import('./io/terminal/style.js')).createStyle({ isTerminal, isRefused: !flags.color, env });
  const stdoutStyle = once(() => styleOf(io.stdout));
  const stderrStyle = once(() => styleOf(io.stderr));
  const output = createOutput({
    stdout: io.stdout,
    stderr: io.stderr,
    stdoutStyle,
    isJson: flags.json,
    isQuiet: flags.quiet,
    isDebug: flags.debug,
  });

  const directories = once(async () => await (await import('./settings/directories.js')).findDirectories(env));
  const select = once(async () => await import('./context/select.js'));
  const activeSettings = once(async () => {
    const [{ selectSettings }, { configDir }] = await Promise.all([select(), directories()]);
    return await selectSettings({ flags, env, configDir });
  });
  async function serverId(settings?: Settings): Promise<string> {
    const [{ server }, { dataDir }, { serverIdOf }] = await Promise.all([
      settings ?? activeSettings(),
      directories(),
      select(),
    ]);
    return await serverIdOf(server.value, dataDir);
  }

  const connector = once(async () => {
    const [{ createConnector }, found] = await Promise.all([import('./context/connect.js'), directories()]);
    return createConnector({ flags, env, io, output, signal, clock, version: readVersion(), directories: found });
  });
  const clients = new Map<string, Promise<ApiClient>>();
  async function createApi(other: Settings | undefined): Promise<ApiClient> {
    const [connect, settings] = await Promise.all([connector(), other ?? activeSettings()]);
    return await connect(settings, { profile: other?.profile.value ?? flags.profile, baseUrl: flags.baseUrl });
  }

  return {
    flags,
    env,
    get version() {
      return readVersion();
    },
    clock,
    signal,
    io,
    output,
    exitCode: EXIT.ok,
    stdoutStyle,
    stderrStyle,
    directories,
    settings: activeSettings,
    ledger: once(async () => {
      const [{ openLedger }, { stateDir }] = await Promise.all([import('./ledger/ledger.js'), directories()]);
      return openLedger({ stateDir, now: clock.now, debug: output.debug });
    }),
    api(settings) {
      const key = settings === undefined ? '' : JSON.stringify(settings.server.value);
      const client = clients.get(key) ?? createApi(settings);
      clients.set(key, client);
      return client;
    },
    serverId,
    async activeService() {
      return await (await select()).selectActiveService(flags, serverId);
    },
    async report(error, { input, compact = false } = {}) {
      if (hasReaderGone(signal)) return;
      const { errorEnvelope, nameInput, renderError } = await import('./io/messages/error-text.js');
      if (output.isJson) {
        const envelope = errorEnvelope(error);
        const line = input === undefined ? envelope : { input, requestId: error.requestId ?? null, ...envelope };
        return await output.json(line, { compact });
      }
      await io.stderr.write(renderError(nameInput(error, input), await stderrStyle()));
    },
    endWithReader: () =>
      io.stdout.watchReader(() => end(new OcrError('READER_GONE', CLIENT_ERRORS.READER_GONE.meaning))),
    withSignal: (other) => createContext({ flags, env, io, signal: other, end, clock }),
    async close() {
      for (const client of clients.values()) await client.then((api) => api.close()).catch(() => {});
    },
  };
}

let version: string | undefined;

export function readVersion(): string {
  // An import of node:fs loads all of it, promises too: 2 ms for every command.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  version ??= (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
  return version;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
