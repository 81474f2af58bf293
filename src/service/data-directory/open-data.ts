import { join } from 'node:path';
import { OcrError } from '../../contract/ocr-error.js';
import type { Blobs } from '../../store/blobs/blobs.js';
import { createQueue } from '../../store/create-queue.js';
import type { Queue } from '../../store/queue.js';
import { openStore } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';
import { type ArgsVault, createArgsVault } from '../secrets/args-vault.js';
import { openSecretBox, type SecretBox } from '../secrets/secret-box.js';
import { cannotServe, explainUnusableStore, STORE_FILE_NAME } from './data-directory.js';
import { ensureFirstKey } from './first-key.js';
import { openBlobs } from './open-blobs.js';

/** The data of a service: a data directory opened by its only holder, or a database that processes share. */
export interface OpenData {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  closeBlobs(): Promise<void>;
  box: SecretBox;
  vault: ArgsVault;
  /** Count of jobs of an earlier process that continue, and of its files that were removed. */
  released: number;
  leftovers: number;
}

/**
 * Opens the data directory, creates it when it is new, and queues the jobs of an earlier process again; or opens the database.
 * @throws OcrError DATA_DIR_UNWRITABLE, DATA_DIR_INCOMPATIBLE, DATABASE_UNUSABLE, CONFIG_INVALID; the reason of `signal`
 */
export async function openData(config: ServiceConfig, log: Log, signal?: AbortSignal): Promise<OpenData> {
  return config.databaseUrl === undefined ? await openDirectory(config) : await openDatabase(config, log, signal);
}

/** Opens the database that processes share. What they hold is theirs: only expired leases are released, later. */
async function openDatabase(config: ServiceConfig, log: Log, signal?: AbortSignal): Promise<OpenData> {
  const { openSharedSecrets, waitForSharedStore } = await import('./open-shared.js');
  const store = await waitForSharedStore(config, log, signal);
  try {
    const box = await openSharedSecrets(store, config);
    const documents = await openDocuments(config, store);
    const leftovers = await documents.blobs.removeLeftovers();
    return { store, ...documents, box, vault: createArgsVault(box), released: 0, leftovers };
  } catch (error) {
    await store.close().catch(() => {});
    throw error instanceof OcrError ? error : cannotServe(config.dataDir, error);
  }
}

async function openDirectory(config: ServiceConfig): Promise<OpenData> {
  const { dataDir } = config;
  const path = join(dataDir, STORE_FILE_NAME);
  let store: Store | undefined;
  try {
    store = await openStore(path, { isHolder: true });
    await ensureFirstKey(store, dataDir);
    const box = await openSecretBox(dataDir);
    const documents = await openDocuments(config, store);
    const released = await documents.queue.releaseAll();
    const leftovers = await documents.blobs.removeLeftovers();
    return { store, ...documents, box, vault: createArgsVault(box), released, leftovers };
  } catch (error) {
    await store?.close().catch(() => {});
    if (error instanceof OcrError) throw error;
    throw explainUnusableStore(path, error) ?? cannotServe(dataDir, error);
  }
}

async function openDocuments(
  config: ServiceConfig,
  store: Store,
): Promise<Pick<OpenData, 'blobs' | 'queue' | 'closeBlobs'>> {
  const { blobs, results, check, close } = await openBlobs(config, store);
  await check().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { blobs, queue: createQueue(store, { results, documents: blobs }), closeBlobs: close };
}
