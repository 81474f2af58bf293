import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import envPaths from 'env-paths';
import { describePosition } from '../../contract/json-position.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { reasonOf } from '../../contract/system-reason.js';
import { parseS3Url } from '../../store/blobs/s3/location.js';
import {
  parseBytes,
  parseChoice,
  parseCidr,
  parseCount,
  parseDatabaseUrl,
  parseDuration,
  parseFlag,
  parseHost,
  parseIssuer,
  parseKeyCacheTime,
  parseList,
  parsePublicUrl,
  parseText,
  parseTimeout,
} from './parse-values.js';
import { OCR_ENGINES } from './recognition.js';

export interface ServiceConfig {
  host: string;
  /** 0 selects a free port. */
  port: number;
  dataDir: string;
  /** A PostgreSQL database that several processes share; undefined: the store is in the data directory. */
  databaseUrl: string | undefined;
  /** The same database past any pooler, which passes no notifications on; undefined: `databaseUrl`. */
  databaseListenUrl: string | undefined;
  /** Takes calls, reads documents, or both. A store in the data directory has one process, which does both. */
  role: Role;
  /** File of 32 bytes that seals secrets, the same for all processes of a database; undefined: `secret` in the data directory. */
  secretFile: string | undefined;
  /** s3:// URL of the documents above 64 KiB and of large results; undefined keeps them with the store. */
  blobsUrl: string | undefined;
  /** Documents read at once, each in its own process. */
  workers: number;
  /** A document beyond one of these limits is answered 202. */
  inlineMaxPages: number;
  inlineMaxBytes: number;
  inlineTimeoutMs: number;
  maxFileBytes: number;
  /** Limits of one document in its process: wall time for each 20 pages begun, time without progress, resident memory, pixels of one image. */
  documentTimeoutMs: number;
  documentIdleTimeoutMs: number;
  documentMemoryBytes: number;
  maxPixels: number;
  /** Recognition engine: native, wasm (built in), or auto: native when it is found. */
  ocrEngine: string;
  jobLeaseMs: number;
  jobMaxAttempts: number;
  /** Fixed window for a plan's request limit. */
  rateWindowMs: number;
  /** Longest delay until a changed key, subscription or plan of another process takes effect. */
  keyCacheMs: number;
  resultTtlMs: number;
  cacheTtlMs: number;
  requestLogTtlMs: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Bound on the memory of all answers that wait for their readers. One organisation may use half. */
  answerMemoryBytes: number;
  /** Bytes a second. A slower sender is cut off. */
  minUploadRate: number;
  /** Time without work after which the service stops; undefined for never. */
  idleExitMs: number | undefined;
  /** Delays between the attempts of a delivery, each with a jitter of 10 %. */
  webhookRetryDelaysMs: readonly number[];
  /** Time limit of one attempt: look-up, connection and answer together. */
  webhookTimeoutMs: number;
  /** Ranges that webhooks may go to although they are not public: `10.20.0.0/16`. */
  webhookAllowCidrs: readonly string[];
  /** Origin at which browsers reach the portal: https://ocr.example; undefined: this machine alone does, over plain http. */
  publicUrl: string | undefined;
  /** Time without a call after which a session of the portal ends; those of support and operators after 1 h at the latest. */
  portalSessionIdleMs: number;
  /** Sign-in provider of the portal (OpenID Connect), with the name and secret under which it knows this service. */
  portalOidcIssuer: string | undefined;
  portalOidcClientId: string | undefined;
  /** Undefined for a client that proves itself by PKCE alone. */
  portalOidcClientSecret: string | undefined;
  /** The provider's name for people; undefined: the host of its address. */
  portalOidcName: string | undefined;
  /** True when /metrics answers callers on other machines. */
  metricsPublic: boolean;
  /** Level of the log: error, warn, info, or debug, which includes file names. */
  logLevel: string;
}

type SettingName = keyof ServiceConfig;

export interface LoadedConfig {
  config: ServiceConfig;
  /** Origin of each value: `flag --port`, `environment OCR_SERVE_PORT`, `file /etc/ocr.json` or `default`. */
  origins: Record<SettingName, string>;
  /** Warnings about settings without effect. */
  warnings: string[];
}

export interface ConfigSources {
  /** Values of the command line. */
  flags: Partial<Record<SettingName, string | number | undefined>>;
  env: NodeJS.ProcessEnv;
  /** Path of a JSON file with an object of settings. */
  configFile?: string | undefined;
}

type Value = string | number | boolean | readonly string[] | readonly number[];

interface Setting {
  parse(value: unknown): Value;
  fallback(env: NodeJS.ProcessEnv): Value | undefined;
}

/** A value, its origin, and the remedy for an invalid value there. */
type Candidate = [value: unknown, origin: string, remedy: string];

const PREFIX = 'OCR_SERVE_';
const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
/** Bound on retries: up to six attempts (contract, section Delivery and retry). */
const MAX_RETRIES = 5;
/** Memory with which a process reads a photograph of one page. With less, good documents would be refused as too large. */
const MIN_DOCUMENT_MEMORY_BYTES = 256 * MIB;
/** A worker renews its leases several times within one. */
const MIN_JOB_LEASE_MS = 1_000;
const count = (fallback: number | (() => number), least = 1): Setting => ({
  parse: (value) => parseCount(value, least),
  fallback: typeof fallback === 'number' ? () => fallback : fallback,
});
const bytes = (fallback: number, least = 0): Setting => ({
  parse: (value) => parseBytes(value, least),
  fallback: () => fallback,
});
const duration = (fallback: number): Setting => ({ parse: (value) => parseDuration(value), fallback: () => fallback });
const timeout = (fallback: number | undefined, least = 1): Setting => ({
  parse: (value) => parseTimeout(value, least),
  fallback: () => fallback,
});

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'];

const SETTINGS: Record<SettingName, Setting> = {
  host: { parse: parseHost, fallback: () => '127.0.0.1' },
  port: { parse: (value) => parseCount(value, 0, 65_535), fallback: () => 4077 },
  dataDir: { parse: parseText, fallback: defaultDataDir },
  databaseUrl: { parse: parseDatabaseUrl, fallback: () => undefined },
  databaseListenUrl: { parse: parseDatabaseUrl, fallback: () => undefined },
  role: { parse: (value) => parseChoice(value, ROLES), fallback: () => 'all' },
  secretFile: { parse: (value) => resolve(parseText(value)), fallback: () => undefined },
  blobsUrl: { parse: parseBlobsUrl, fallback: () => undefined },
  workers: count(() => availableParallelism()),
  inlineMaxPages: count(5, 0),
  inlineMaxBytes: bytes(5 * MIB),
  inlineTimeoutMs: timeout(25_000),
  maxFileBytes: bytes(50 * MIB, 1),
  documentTimeoutMs: timeout(600_000),
  documentIdleTimeoutMs: timeout(60_000),
  documentMemoryBytes: bytes(2048 * MIB, MIN_DOCUMENT_MEMORY_BYTES),
  maxPixels: count(100_000_000),
  ocrEngine: { parse: (value) => parseChoice(value, OCR_ENGINES), fallback: () => 'auto' },
  jobLeaseMs: timeout(15_000, MIN_JOB_LEASE_MS),
  jobMaxAttempts: count(3),
  rateWindowMs: timeout(60_000),
  keyCacheMs: { parse: parseKeyCacheTime, fallback: () => 10_000 },
  resultTtlMs: duration(7 * DAY_MS),
  cacheTtlMs: duration(DAY_MS),
  requestLogTtlMs: duration(90 * DAY_MS),
  headersTimeoutMs: timeout(10_000),
  requestTimeoutMs: timeout(120_000),
  answerMemoryBytes: bytes(512 * MIB),
  minUploadRate: bytes(1024),
  idleExitMs: timeout(undefined),
  webhookRetryDelaysMs: {
    parse: (value) => parseList(value, (item) => parseTimeout(item), { least: 1, most: MAX_RETRIES }),
    fallback: () => [30_000, 120_000, 480_000, 1_920_000, 7_680_000],
  },
  webhookTimeoutMs: timeout(10_000),
  webhookAllowCidrs: { parse: (value) => parseList(value, parseCidr), fallback: () => [] },
  publicUrl: { parse: parsePublicUrl, fallback: () => undefined },
  portalSessionIdleMs: duration(DAY_MS / 2),
  portalOidcIssuer: { parse: parseIssuer, fallback: () => undefined },
  portalOidcClientId: { parse: parseText, fallback: () => undefined },
  portalOidcClientSecret: { parse: parseText, fallback: () => undefined },
  portalOidcName: { parse: parseText, fallback: () => undefined },
  metricsPublic: { parse: parseFlag, fallback: () => false },
  logLevel: { parse: (value) => parseChoice(value, LOG_LEVELS), fallback: () => 'info' },
};

/**
 * Loads the settings of a service: a flag wins over the variable, the variable over the file, the file over the default.
 * @throws OcrError CONFIG_INVALID with the setting and the origin of its value
 */
export function loadServiceConfig({ flags, env, configFile }: ConfigSources): LoadedConfig {
  const file = configFile === undefined ? {} : readConfigFile(configFile);
  const config: Record<string, Value | undefined> = {};
  const origins: Record<string, string> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const variable = variableOf(name);
    const candidates: Candidate[] = [
      [flags[name as SettingName], `flag --${toWords(name, '-')}`, 'ocr serve --help'],
      [
        env[variable] === '' ? undefined : env[variable],
        `environment ${variable}`,
        `Set ${variable} to what is expected, or unset it for the default.`,
      ],
      [file[name], `file ${configFile}`, `Correct it in ${configFile}, or leave it out there for the default.`],
    ];
    const chosen = candidates.find(([value]) => value !== undefined);
    origins[name] = chosen?.[1] ?? 'default';
    config[name] = chosen === undefined ? setting.fallback(env) : parseOrExplain(setting, chosen, name);
  }
  config.dataDir = resolve(String(config.dataDir));
  const loaded: LoadedConfig = {
    config: config as unknown as ServiceConfig,
    origins: origins as Record<SettingName, string>,
    warnings: [...findUnknownVariables(env), ...findUnusedSettings(config, origins)],
  };
  refuseWithoutDatabase(loaded);
  refuseHalfProvider(loaded);
  return loaded;
}

/** Settings that only processes of a shared database have. */
const SHARED_ONLY = ['role', 'databaseListenUrl'] as const;

/** @throws OcrError CONFIG_INVALID */
function refuseWithoutDatabase({ config, origins }: Pick<LoadedConfig, 'config' | 'origins'>): void {
  if (config.databaseUrl !== undefined) return;
  const asked = SHARED_ONLY.find((name) => config[name] !== undefined && config[name] !== 'all');
  if (asked === undefined) return;
  const setting = asked === 'role' ? `role ${config.role}` : asked;
  throw new OcrError('CONFIG_INVALID', `${setting} from ${origins[asked]}: needs a database that processes share`, {
    hint: 'Name it: --database-url postgres://<user>@<host>/<database>. Without one, one process takes calls and reads documents.',
  });
}

/** A provider has an address and a name for this service. @throws OcrError CONFIG_INVALID */
function refuseHalfProvider({ config, origins }: Pick<LoadedConfig, 'config' | 'origins'>): void {
  const { portalOidcIssuer, portalOidcClientId } = config;
  const given = (['portalOidcIssuer', 'portalOidcClientId', 'portalOidcClientSecret', 'portalOidcName'] as const).find(
    (name) => config[name] !== undefined,
  );
  if (given === undefined || (portalOidcIssuer !== undefined && portalOidcClientId !== undefined)) return;
  const lacking = portalOidcIssuer === undefined ? 'portalOidcIssuer' : 'portalOidcClientId';
  throw new OcrError('CONFIG_INVALID', `${given} from ${origins[given]}: ${lacking} is missing`, {
    hint: `Set ${variableOf(lacking)} too, or leave all of portalOidc… out: people then enter by links alone.`,
  });
}

/** Finds settings that have no effect without a database; the data directory has its own. */
function findUnusedSettings(config: Record<string, Value | undefined>, origins: Record<string, string>): string[] {
  if (config.databaseUrl !== undefined || config.secretFile === undefined) return [];
  return [
    `secretFile from ${origins.secretFile} has no effect without a database: the secret is secret in the data directory`,
  ];
}

function parseBlobsUrl(value: unknown): string {
  const text = parseText(value);
  parseS3Url(text);
  return text;
}

function findUnknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(SETTINGS).map(variableOf);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => {
      const nearest = suggest(
        name.slice(PREFIX.length),
        known.map((variable) => variable.slice(PREFIX.length)),
      );
      return `${name} is not a setting of the service${meaning(nearest && PREFIX + nearest)}`;
    });
}

function meaning(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** `inlineMaxPages` → `OCR_SERVE_INLINE_MAX_PAGES`. */
export function variableOf(name: string): string {
  return `${PREFIX}${toWords(name, '_').toUpperCase()}`;
}

function toWords(name: string, separator: string): string {
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/** Returns the directory that the client uses too: OCR_DATA_DIR, else the platform's own directory. */
function defaultDataDir(env: NodeJS.ProcessEnv): string {
  return env.OCR_DATA_DIR || envPaths('ocr', { suffix: '' }).data;
}

function parseOrExplain(setting: Setting, [value, origin, remedy]: Candidate, name: string): Value {
  try {
    return setting.parse(value);
  } catch (error) {
    throw new OcrError('CONFIG_INVALID', `${name} from ${origin}: ${(error as Error).message}`, { hint: remedy });
  }
}

function readConfigFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = new TextDecoder().decode(readFileSync(path));
  } catch (error) {
    throw new OcrError('CONFIG_INVALID', `Cannot read the configuration ${path}: ${reasonOf(error)}`, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The message omits the parser's text, which may quote the file.
    const where = describePosition(text, error as SyntaxError);
    throw new OcrError('CONFIG_INVALID', `The configuration ${path} is not JSON${where}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OcrError('CONFIG_INVALID', `The configuration ${path} is not an object of settings`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined)
    throw new OcrError(
      'CONFIG_INVALID',
      `The configuration ${path} has a setting that does not exist: ${unknown}${meaning(suggest(unknown, Object.keys(SETTINGS)))}`,
      {
        hint: 'The settings: ocr serve --print-config',
      },
    );
  return value as Record<string, unknown>;
}
