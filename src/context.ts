import { join } from 'node:path';
import type { ApiClient } from './api/client.js';
import type { Clock } from './contract/clock.js';
import type { ServiceFlags } from './contract/command-words.js';
import type { LocateService } from './contract/endpoint.js';
import { EXIT, type ExitCode } from './contract/exit-codes.js';
import type { OcrError } from './contract/ocr-error.js';
import { sleep } from './contract/sleep.js';
import { createOutput, type Output } from './io/output/output.js';
import type { Sink } from './io/terminal/sink.js';
import type { Style } from './io/terminal/style.js';
import type { Ledger } from './ledger/ledger.js';
import type { Directories } from './settings/directories.js';
import type { ServerSetting, Settings } from './settings/resolve-settings.js';
import type { ActiveService } from './submission-lifecycle/choose-record.js';

/** Flags that every command has. */
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

/** What a command is given. What costs something is made when it is first asked for, and once. */
export interface Context {
  readonly flags: GlobalFlags;
  readonly env: NodeJS.ProcessEnv;
  /** The version of this tool. */
  readonly version: string;
  readonly clock: Clock;
  /** Aborted with an OcrError, INTERRUPTED or TERMINATED, when the command is to end. */
  readonly signal: AbortSignal;
  readonly io: Streams;
  readonly output: Output;
  /** What the process ends with where a command has already said what failed; an error that it throws decides otherwise. */
  exitCode: ExitCode;
  stdoutStyle(): Promise<Style>;
  stderrStyle(): Promise<Style>;
  directories(): Promise<Directories>;
  settings(): Promise<Settings>;
  ledger(): Promise<Ledger>;
  /** Of the active profile's service, or of another profile's. @throws OcrError CONFIG_INVALID, NO_API_KEY */
  api(profile?: string): Promise<ApiClient>;
  /** What the ledger knows that service by, without looking for it. */
  serverId(profile?: string): Promise<string>;
  /** Whose records and ids are meant. @throws OcrError CONFIG_INVALID of what a flag names */
  activeService(): Promise<ActiveService>;
  /**
   * Says what failed: on standard error, or with --json as an envelope on standard output. `input` where it is one of
   * several things that were asked for; `compact` keeps the JSON on one line.
   */
  report(error: OcrError, options?: { input?: string; compact?: boolean }): Promise<void>;
  /** Ends connections. */
  close(): Promise<void>;
}

export interface ContextOptions {
  flags: GlobalFlags;
  env: NodeJS.ProcessEnv;
  io: Streams;
  signal: AbortSignal;
  clock?: Clock;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep,
};

export function createContext({ flags, env, io, signal, clock = SYSTEM_CLOCK }: ContextOptions): Context {
  const clients = new Map<string, Promise<ApiClient>>();
  const isRefused = !flags.color;
  const styleOf = async ({ isTerminal }: Sink) =>
    await (await import('./io/terminal/style.js')).createStyle({ isTerminal, isRefused, env });
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

  async function settingsOf(profile: string | undefined): Promise<Settings> {
    const [{ readSettingsFile }, { resolveSettings }, { configDir }] = await Promise.all([
      import('./settings/settings-file.js'),
      import('./settings/resolve-settings.js'),
      directories(),
    ]);
    const stored = await readSettingsFile(configDir);
    const chosen = { ...flags, ...(profile === undefined ? {} : { profile }) };
    return resolveSettings({ flags: chosen, env, stored });
  }

  async function locatorOf(server: ServerSetting, chosen: ServiceFlags): Promise<LocateService> {
    if (server.kind === 'remote') {
      const { baseUrl, apiKey } = server;
      if (apiKey === undefined) throw (await import('./settings/no-api-key.js')).noApiKey(baseUrl, chosen);
      if (baseUrl.startsWith('http:')) await noteOnPlainHttp(baseUrl);
      return async () => ({ baseUrl, apiKey: apiKey.value, serverId: baseUrl });
    }
    const [{ ensureLocalService }, { dataDir }] = await Promise.all([
      import('./local/service-locator.js'),
      directories(),
    ]);
    return async () => await ensureLocalService({ dataDir, version: readVersion(), env, note: output.debug, signal });
  }

  const warned = new Set<string>();
  async function noteOnPlainHttp(baseUrl: string): Promise<void> {
    const { warnAboutPlainHttp: warnOfPlainHttp } = await import('./io/messages/plain-http.js');
    const warning = warnOfPlainHttp(baseUrl);
    if (warning === undefined || warned.has(warning)) return;
    warned.add(warning);
    output.note(warning);
  }

  async function createApi(profile: string | undefined): Promise<ApiClient> {
    const settings = await settingsOf(profile);
    const locate = await locatorOf(settings.server.value, {
      profile: profile ?? flags.profile,
      baseUrl: flags.baseUrl,
    });
    const [{ createClient }, { openCatalogCache }] = await Promise.all([
      import('./api/client.js'),
      import('./api/catalog/catalog-cache.js'),
    ]);
    const findCache = async () => join((await directories()).stateDir, 'catalogs');
    const catalogCache = openCatalogCache(findCache, output.debug, clock.now);
    const userAgent = `ocr/${readVersion()} node/${process.versions.node}`;
    const timeoutMs = settings.timeoutMs.value;
    const showRetries = async () => {
      const { createProgress } = await import('./io/terminal/progress.js');
      return createProgress({ io, output, flags, env });
    };
    const { debug } = output;
    return createClient({ locate, env, timeoutMs, userAgent, signal, clock, debug, catalogCache, showRetries });
  }

  const settings = once(async () => await settingsOf(undefined));
  async function serverId(profile?: string): Promise<string> {
    const { server } = profile === undefined ? await settings() : await settingsOf(profile);
    if (server.value.kind === 'remote') return server.value.baseUrl;
    const { localServerId } = await import('./local/service-locator.js');
    return localServerId((await directories()).dataDir);
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
    settings,
    ledger: once(async () => {
      const [{ openLedger }, { stateDir }] = await Promise.all([import('./ledger/ledger.js'), directories()]);
      return openLedger({ stateDir, now: clock.now, debug: output.debug });
    }),
    api(profile) {
      const key = profile ?? '';
      const client = clients.get(key) ?? createApi(profile);
      clients.set(key, client);
      return client;
    },
    serverId,
    async activeService() {
      if (flags.profile !== undefined || flags.baseUrl !== undefined) {
        return { serverId: await serverId(), isNamed: true, profile: flags.profile };
      }
      return { serverId: await serverId().catch(() => undefined), isNamed: false };
    },
    async report(error, { input, compact = false } = {}) {
      const { errorEnvelope, nameInput, renderError } = await import('./io/messages/error-text.js');
      if (output.isJson) {
        const envelope = errorEnvelope(error);
        return await output.json(input === undefined ? envelope : { input, ...envelope }, { compact });
      }
      await io.stderr.write(renderError(nameInput(error, input), await stderrStyle()));
    },
    async close() {
      for (const client of clients.values()) await client.then((api) => api.close()).catch(() => {});
    },
  };
}

let version: string | undefined;

export function readVersion(): string {
  // An import of node:fs would load all of it, promises too: 2 ms for every command.
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
