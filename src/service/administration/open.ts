import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type ServiceLocation, withLocation } from '../../contract/command-words.js';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { actingAs } from '../../store/audit.js';
import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import { SCHEMA_VERSION } from '../../store/schema.js';
import { classifySqliteError } from '../../store/sqlite/database.js';
import { lockDirectory } from '../../store/sqlite/directory-lock.js';
import { openStore, readSchemaVersion } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';
import { makeDirectory } from '../../system/make-directory.js';
import { loadServiceConfig, type ServiceConfig } from '../config/service-config.js';
import { cannotWrite, explainUnusableStore, STORE_FILE_NAME } from '../data-directory/data-directory.js';
import { openSecretBox, type SecretBox } from '../secrets/secret-box.js';

const NOT_YOURS = 'Run this as the user whose service it is, or name another directory: --data-dir <dir>';

/** The store of a service that may be running or not. */
export interface Administration {
  store: Store;
  config: ServiceConfig;
  /** Opens the secrets that the service seals, and creates its key where there is none yet. */
  openBox(): Promise<SecretBox>;
}

export interface OpenedAdministration extends Administration {
  /** True when the store was created for this command. */
  isNew: boolean;
  /** True when somebody has named the data directory, which is the default one otherwise. */
  isDirectoryNamed: boolean;
}

/**
 * Opens the store, beside a running service if there is one, does `work` and closes it. With `mayCreate` a missing store is
 * created, and `isNew` is true. SQLite lets both processes write in turn. The service sees a change at its next read, at the
 * latest after KEY_CACHE_MS. The default location is the one of `ocr serve`. Commands in hints name the same location.
 * @throws OcrError CONFIG_INVALID, DATA_DIR_UNWRITABLE, DATA_DIR_INCOMPATIBLE
 */
export async function withAdministration<T>(
  location: ServiceLocation,
  env: NodeJS.ProcessEnv,
  work: (administration: OpenedAdministration) => Promise<T>,
  options: { mayCreate?: boolean } = {},
): Promise<T> {
  try {
    return await administer(location, env, work, options);
  } catch (error) {
    if (!(error instanceof OcrError) || error.hint === undefined) throw error;
    throw error.with({ hint: withLocation(error.hint, location) });
  }
}

async function administer<T>(
  { dataDir, configFile, databaseUrl }: ServiceLocation,
  env: NodeJS.ProcessEnv,
  work: (administration: OpenedAdministration) => Promise<T>,
  { mayCreate = false }: { mayCreate?: boolean },
): Promise<T> {
  const { config, origins } = loadServiceConfig({ flags: { dataDir, databaseUrl }, env, configFile });
  const isDirectoryNamed = origins.dataDir !== 'default';
  if (config.databaseUrl !== undefined) return await administerDatabase(config, isDirectoryNamed, work);
  const path = join(config.dataDir, STORE_FILE_NAME);
  const isNew = !hasStore(config.dataDir);
  // A mistyped directory must not look like a service without organisations.
  if (isNew && !mayCreate)
    throw new OcrError('DATA_DIR_UNWRITABLE', `There is no service data directory at ${config.dataDir}`, {
      hint: 'Name it: --data-dir <dir>, the directory that ocr serve has; it is made when the service first starts, or by ocr admin orgs create',
    });
  const store = await open(path, config.dataDir);
  try {
    const openBox = () => openSecretBox(config.dataDir);
    return await work({ store: byThisUser(store), config, openBox, isNew, isDirectoryNamed });
  } catch (error) {
    // A service with a full disk may still be read, and copied to another disk.
    throw explainStoreFailure(path, config.dataDir, error);
  } finally {
    await store.close();
  }
}

/** Changes by commands are those of the user who runs them, and who may do everything here. */
function byThisUser(store: Store): Store {
  return actingAs(store, { who: nameOfUser(), role: 'operator' });
}

/** A user id may have no name, in a container for instance. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

/** Works on the database that processes share, which then forget what they know of keys, organisations and plans. */
async function administerDatabase<T>(
  config: ServiceConfig,
  isDirectoryNamed: boolean,
  work: (administration: OpenedAdministration) => Promise<T>,
): Promise<T> {
  const { explainDatabase, openSharedSecrets, openSharedStore } = await import('../data-directory/open-shared.js');
  const store = await openSharedStore(config);
  try {
    return await work({
      store: byThisUser(store),
      config,
      openBox: () => openSharedSecrets(store, config),
      isNew: false,
      isDirectoryNamed,
    });
  } catch (error) {
    throw error instanceof DatabaseUnavailableError ? explainDatabase(config, error) : error;
  } finally {
    store.bell.ring('access');
    store.bell.ring('webhook');
    await store.close();
  }
}

/** @throws OcrError DATA_DIR_UNWRITABLE where this cannot be told: the directory of another user */
function hasStore(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, STORE_FILE_NAME), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new OcrError('DATA_DIR_UNWRITABLE', `Cannot read the data directory ${dataDir}: ${reasonOf(error)}`, {
      hint: NOT_YOURS,
      cause: error,
    });
  }
}

async function open(path: string, dataDir: string): Promise<Store> {
  try {
    makeDirectory(dataDir, 0o700);
    if ((await readSchemaVersion(path)) < SCHEMA_VERSION) await upgrade(path, dataDir);
    return await openStore(path);
  } catch (error) {
    if (error instanceof OcrError) throw error;
    throw explainUnusableStore(path, error) ?? cannotAdminister(dataDir, error);
  }
}

/** Other errors are no failure of the store. */
function explainStoreFailure(path: string, dataDir: string, error: unknown): unknown {
  if (classifySqliteError(error) === undefined) return error;
  return explainUnusableStore(path, error) ?? cannotAdminister(dataDir, error);
}

function cannotAdminister(dataDir: string, error: unknown): OcrError {
  const isBusy = classifySqliteError(error) === 'busy';
  const access = isBusy ? 'Another process holds it: run the same command again.' : NOT_YOURS;
  return cannotWrite(dataDir, error, { space: 'Free some space, and run the same command again.', access });
}

/** An older service that runs knows only its own tables, so they must not change. */
async function upgrade(path: string, dataDir: string): Promise<void> {
  const lock = lockDirectory(dataDir);
  if (lock === undefined)
    throw new OcrError('DATA_DIR_INCOMPATIBLE', `An older version of the service runs on ${dataDir}`, {
      hint: 'Stop it and start this version: ocr serve',
    });
  try {
    await (await openStore(path)).close();
  } finally {
    lock.release();
  }
}
