import { join } from 'node:path';
import { OcrError } from '../../contract/ocr-error.js';
import { sleep } from '../../contract/sleep.js';
import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import { MigrationBlockedError } from '../../store/postgres/migrate.js';
import { openStore, SchemaMissingError } from '../../store/postgres/open-store.js';
import { StoreTooNewError } from '../../store/schema.js';
import { readSetting, settle } from '../../store/settings.js';
import type { Store } from '../../store/store.js';
import { withoutPassword } from '../config/parse-values.js';
import type { Role, ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';
import { openSharedSecretBox, SECRET_FILE_NAME, type SecretBox } from '../secrets/secret-box.js';

/** Connections of a process, without that of its doorbell. A worker has a few documents at a time, an api process many calls. */
const MAX_CONNECTIONS: Record<Role, number> = { all: 10, api: 10, worker: 3 };
/** Time that a start waits for a database, or for `ocr admin migrate`: machines of a fleet start in any order. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 500;
/** Name of the fact that tells whether two processes have the same secret. */
const FINGERPRINT = 'secret';

type SharedConfig = Pick<ServiceConfig, 'databaseUrl' | 'databaseListenUrl' | 'role'>;

/** Opens the database for one command. @throws OcrError DATABASE_UNUSABLE */
export async function openSharedStore(config: SharedConfig): Promise<Store> {
  const { databaseUrl: url = '', databaseListenUrl: listenUrl } = config;
  try {
    return await openStore({ url, listenUrl, maxConnections: 2, applicationName: 'ocr admin' });
  } catch (error) {
    throw explainDatabase(config, error);
  }
}

/**
 * Opens the database for a service, which waits a minute for it and its tables. @throws OcrError DATABASE_UNUSABLE; the reason of
 * `signal`
 */
export async function waitForSharedStore(config: SharedConfig, log: Log, signal?: AbortSignal): Promise<Store> {
  const { databaseUrl: url = '', databaseListenUrl: listenUrl, role } = config;
  const options = {
    url,
    listenUrl,
    maxConnections: MAX_CONNECTIONS[role],
    applicationName: `ocr ${role}`,
    onAvailability: (reason: string | undefined) => {
      if (reason === undefined) log.info('the database answers again');
      else log.error({ reason }, 'the database does not answer: calls are refused until it does');
    },
  };
  const deadline = performance.now() + PATIENCE_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await openStore(options);
    } catch (error) {
      const mayPass = error instanceof DatabaseUnavailableError || error instanceof SchemaMissingError;
      if (!mayPass || performance.now() + LOOK_AGAIN_MS > deadline) throw explainDatabase(config, error);
      if (isFirst) log.warn({ reason: error.message }, 'waiting for the database');
    }
    await sleep(LOOK_AGAIN_MS, signal);
  }
}

/** Explains why a database cannot be used. The message has no password. */
export function explainDatabase({ databaseUrl = '' }: Pick<ServiceConfig, 'databaseUrl'>, error: unknown): OcrError {
  const hint = hintFor(error);
  return new OcrError(
    'DATABASE_UNUSABLE',
    `Cannot use the database ${withoutPassword(databaseUrl)}: ${error instanceof Error ? error.message : String(error)}`,
    { hint, cause: error },
  );
}

function hintFor(error: unknown): string {
  if (error instanceof SchemaMissingError) return 'Create or upgrade its tables: ocr admin migrate';
  if (error instanceof StoreTooNewError) return 'Use the version of the tool that its tables are for.';
  if (error instanceof MigrationBlockedError)
    return 'Let it end, or end it by SELECT pg_terminate_backend(<process>), and run the same command again.';
  return 'Check the address, and whether the server runs and lets this machine in: psql <the same address>';
}

/**
 * Opens the secrets of the database. All its processes have the same key in a file; the first one makes it.
 * @throws OcrError CONFIG_INVALID where this machine has another key, or none
 */
export async function openSharedSecrets(
  store: Store,
  { secretFile, dataDir }: Pick<ServiceConfig, 'secretFile' | 'dataDir'>,
): Promise<SecretBox> {
  const path = secretFile ?? join(dataDir, SECRET_FILE_NAME);
  const known = await readSetting(store, FINGERPRINT);
  const box = await openSharedSecretBox(path, known === undefined);
  if (box === undefined) throw wrongSecret(`There is no secret at ${path}, and the database was set up with one`);
  if ((await settle(store, FINGERPRINT, box.fingerprint(FINGERPRINT))) !== box.fingerprint(FINGERPRINT))
    throw wrongSecret(`The secret at ${path} is not the one that this database was set up with`);
  return box;
}

function wrongSecret(message: string): OcrError {
  return new OcrError('CONFIG_INVALID', message, {
    hint: 'Copy the file of 32 bytes from a machine whose service works, or name it: OCR_SERVE_SECRET_FILE=<file>',
  });
}
