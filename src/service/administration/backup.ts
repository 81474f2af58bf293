import { constants, existsSync, realpathSync } from 'node:fs';
import { copyFile, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ServiceLocation } from '../../contract/command-words.js';
import { OcrError } from '../../contract/ocr-error.js';
import { FIRST_KEY_FILE_NAME } from '../../contract/service-file.js';
import { isNoSpace, reasonOf } from '../../contract/system-reason.js';
import { SCHEMA_VERSION } from '../../store/schema.js';
import { holdWriters, listNeededFiles, type Snapshot, takeSnapshot } from '../../store/sqlite/snapshot.js';
import type { Store } from '../../store/store.js';
import { ownedPrefix, removeLeftovers } from '../../system/leftovers.js';
import { makeDirectory } from '../../system/make-directory.js';
import { syncDirectory } from '../../system/sync-directory.js';
import { STORE_FILE_NAME } from '../data-directory/data-directory.js';
import { SECRET_FILE_NAME } from '../secrets/secret-box.js';
import { withAdministration } from './open.js';

/** A backup as `ocr admin backup` prints it. */
export interface BackupView {
  /** Directory of the copy, which is a data directory itself. */
  backup: string;
  dataDir: string;
  schemaVersion: number;
  organisations: number;
  jobs: number;
  requests: number;
  /** Count of copied documents of unfinished jobs. */
  documents: number;
  /** Documents of unfinished jobs that the data directory itself lacks, without a bucket for them: those jobs will fail. */
  missingDocuments: number;
  sizeBytes: number;
  /** RFC 3339 UTC. Later changes are not in the copy. */
  createdAt: string;
}

const UNFINISHED = '.ocr-backup';
const ATTEMPTS = 3;
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Copies one consistent state of the data directory to `directory`, while its service runs: the store, the secret that sealed
 * arguments need, the first key, and the documents of unfinished jobs. An unfinished copy never gets the final name.
 * @throws OcrError USAGE, DATA_DIR_UNWRITABLE, OUTPUT_UNWRITABLE
 */
export async function backUp(
  location: ServiceLocation,
  env: NodeJS.ProcessEnv,
  directory: string,
): Promise<BackupView> {
  const target = resolve(directory);
  const unfinished = join(dirname(target), ownedPrefix(UNFINISHED) + basename(target));
  return await withAdministration(location, env, async ({ store, config: { dataDir, blobsUrl } }) => {
    if (store.isShared)
      throw new OcrError('USAGE', 'A database is backed up by its own means: this command copies a data directory', {
        hint: 'pg_dump or pgBackRest; keep the secret (OCR_SERVE_SECRET_FILE) with the copy, which is of no use without it.',
      });
    refuseWithin(dataDir, target);
    try {
      await refuseUsed(target);
      await removeLeftovers(dirname(target), UNFINISHED);
      makeDirectory(join(unfinished, 'documents'), 0o700);
      const createdAt = new Date().toISOString();
      const { counts, documents, missing } = await copyStoreAndDocuments(
        store,
        dataDir,
        unfinished,
        blobsUrl !== undefined,
      );
      // The secret is copied after the store, because it exists by then and never changes.
      for (const name of [SECRET_FILE_NAME, FIRST_KEY_FILE_NAME])
        await copyDurably(join(dataDir, name), join(unfinished, name));
      await syncDirectory(unfinished);
      // An existing target is empty. Not every system renames onto an empty directory.
      await rmdir(target).catch(() => {});
      await rename(unfinished, target);
      await syncDirectory(dirname(target));
      return {
        backup: target,
        dataDir,
        schemaVersion: SCHEMA_VERSION,
        ...counts,
        documents,
        missingDocuments: missing.length,
        sizeBytes: await measure(target),
        createdAt,
      };
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true }).catch(() => {});
      if (error instanceof OcrError) throw error;
      throw new OcrError('OUTPUT_UNWRITABLE', `Cannot create the copy ${target}: ${reasonOf(error)}`, {
        hint: isNoSpace(error) ? 'Free some space there. Or: Choose a directory on a disk that has room.' : undefined,
        cause: error,
      });
    }
  });
}

/** Refuses a target inside the data directory: a service may remove it there, and it would be lost together with the data. */
function refuseWithin(dataDir: string, target: string): void {
  if (!(realPathOf(target) + sep).startsWith(realPathOf(resolve(dataDir)) + sep)) return;
  throw new OcrError('USAGE', `${target} is in the data directory that is to be copied`, {
    hint: 'ocr admin backup <directory elsewhere, on another disk at best>',
  });
}

/** Resolves links. For a path that does not exist yet, it resolves the part that exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

async function refuseUsed(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new OcrError('USAGE', `Cannot create the copy ${target}: ${reasonOf(error)}`, { cause: error });
  });
  if (names.length > 0)
    throw new OcrError('USAGE', `${target} is not empty: the copy needs a new directory`, {
      hint: 'ocr admin backup <new directory>',
    });
}

/**
 * Copies store and documents. A job that ends after the copy of the store removes its document. Therefore documents are copied
 * before the store too, and the copy is repeated when a document from between is gone. The last attempt blocks writers during
 * the copy of the store: calls wait, and those beyond the 30 s of the write queue get 503. With a bucket, documents that are no
 * files are there, and stay there.
 */
async function copyStoreAndDocuments(
  store: Store,
  dataDir: string,
  directory: string,
  hasBucket: boolean,
): Promise<Copied> {
  const [from, to] = [join(dataDir, 'documents'), join(directory, 'documents')];
  for (let i = 0; i < ATTEMPTS; i++) {
    const copied = await attempt();
    if (copied.missing.length === 0) return copied;
  }
  const release = await holdWriters(join(dataDir, STORE_FILE_NAME), BUSY_TIMEOUT_MS);
  try {
    return await attempt();
  } finally {
    release();
  }

  async function attempt(): Promise<Copied> {
    const path = join(directory, STORE_FILE_NAME);
    await rm(path, { force: true });
    await copyDocuments(await listNeededFiles(store));
    const { counts, documents, neededFiles } = await takeSnapshot(store, path);
    const missing = await copyDocuments(neededFiles);
    const needed = new Set(neededFiles);
    for (const id of await readdir(to)) if (!needed.has(id)) await rm(join(to, id));
    await syncDirectory(to);
    return { counts, documents: documents - missing.length, missing: hasBucket ? [] : missing };
  }

  /** Returns the ids that are missing. Copied documents stay, because documents never change. */
  async function copyDocuments(ids: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (const id of ids)
      if (!existsSync(join(to, id)) && !(await copyDurably(join(from, id), join(to, id)))) missing.push(id);
    return missing;
  }
}

interface Copied {
  counts: Snapshot['counts'];
  documents: number;
  /** Documents of unfinished jobs that the data directory lacks. */
  missing: string[];
}

/** Copies a file; false when it does not exist. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

async function measure(directory: string): Promise<number> {
  let sizeBytes = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    const entry = await stat(join(directory, name));
    if (entry.isFile()) sizeBytes += entry.size;
  }
  return sizeBytes;
}
