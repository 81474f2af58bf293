import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ServiceLocation } from '../../contract/command-words.js';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { createRowStorage } from '../../store/blobs/row-storage.js';
import { UploadFile } from '../../store/blobs/upload-file.js';
import { createQueue } from '../../store/create-queue.js';
import { importRows, isEmpty } from '../../store/postgres/import-rows.js';
import { makeRequestDays } from '../../store/postgres/request-days.js';
import { lockDirectory } from '../../store/sqlite/directory-lock.js';
import { openStore } from '../../store/sqlite/open-store.js';
import { openRowReader } from '../../store/sqlite/read-rows.js';
import type { Store } from '../../store/store.js';
import { all, one } from '../../store/unit.js';
import type { ServiceConfig } from '../config/service-config.js';
import { explainUnusableStore, STORE_FILE_NAME } from '../data-directory/data-directory.js';
import { openSharedSecrets } from '../data-directory/open-shared.js';
import { SECRET_FILE_NAME } from '../secrets/secret-box.js';
import { explainSecretFile, writeSecretOnce } from '../secrets/secret-file.js';
import { withAdministration } from './open.js';

/** Data that was moved into a database. */
export interface ImportView {
  dataDir: string;
  organisations: number;
  jobs: number;
  requests: number;
  /** Count of the documents of unfinished jobs that were copied. */
  documents: number;
  /** The secret that every process of the database needs. */
  secretFile: string;
}

/**
 * Copies the data directory of a stopped service into an empty database, in one transaction. The directory stays as it is, but
 * for unfinished jobs, which are queued again.
 * @throws OcrError USAGE, DATA_DIR_LOCKED, DATA_DIR_INCOMPATIBLE, DATABASE_UNUSABLE, CONFIG_INVALID
 */
export async function importDirectory(
  location: ServiceLocation,
  env: NodeJS.ProcessEnv,
  directory: string,
): Promise<ImportView> {
  const dataDir = resolve(directory);
  const path = join(dataDir, STORE_FILE_NAME);
  if (!existsSync(path))
    throw new OcrError('USAGE', `There is no service data directory at ${dataDir}`, {
      hint: 'ocr admin import <the directory that ocr serve has>',
    });
  return await withAdministration(location, env, async ({ store, config }) => {
    if (!store.isShared)
      throw new OcrError('USAGE', 'No database is named that the data is to be copied into', {
        hint: `ocr admin import ${directory} --database-url postgres://<user>@<host>/<database>`,
      });
    if (!(await store.read(isEmpty())))
      throw new OcrError('USAGE', 'The database has organisations already: an import needs an empty one');
    const lock = lockDirectory(dataDir);
    if (lock === undefined)
      throw new OcrError('DATA_DIR_LOCKED', `A service runs on ${dataDir}`, {
        hint: 'Stop it first: what it takes during the copy would be lost.',
      });
    try {
      const secretFile = await shareSecret(config, dataDir);
      await openSharedSecrets(store, { dataDir, secretFile });
      return { ...(await copy(store, config, dataDir, path)), secretFile };
    } catch (error) {
      throw explainUnusableStore(path, error) ?? error;
    } finally {
      lock.release();
    }
  });
}

/** Puts the secret of the directory where the processes look for theirs. Returns its path. @throws OcrError CONFIG_INVALID */
async function shareSecret({ secretFile }: ServiceConfig, dataDir: string): Promise<string> {
  const own = join(dataDir, SECRET_FILE_NAME);
  if (secretFile === undefined) return own;
  const secret = await readFile(own).catch((error: unknown) => {
    throw new OcrError('DATA_DIR_INCOMPATIBLE', `Cannot read ${own}: ${reasonOf(error)}`, { cause: error });
  });
  const isSame = await putSecret(secretFile, secret).catch((error: unknown) => {
    throw explainSecretFile(secretFile, error);
  });
  if (!isSame)
    throw new OcrError('CONFIG_INVALID', `The secret at ${secretFile} is not the one of ${dataDir}`, {
      hint: `Its values could not be opened any more. Replace it: cp ${own} ${secretFile}`,
    });
  return secretFile;
}

/** Writes the secret where there is none; false where another one is. */
async function putSecret(path: string, secret: Buffer): Promise<boolean> {
  return (await writeSecretOnce(path, secret)) || (await readFile(path)).equals(secret);
}

async function copy(
  target: Store,
  { requestLogTtlMs }: ServiceConfig,
  dataDir: string,
  path: string,
): Promise<Omit<ImportView, 'secretFile'>> {
  const source = await openStore(path, { isHolder: true });
  let documents: number;
  try {
    await createQueue(source).releaseAll();
    documents = await copyDocuments(source, target, dataDir);
    await makeDays(source, target, requestLogTtlMs);
  } finally {
    await source.close();
  }
  const reader = openRowReader(path);
  try {
    const counts = await target.write(() => importRows(reader));
    const { organisation = 0, job = 0, request = 0 } = counts;
    return { dataDir, organisations: organisation, jobs: job, requests: request, documents };
  } finally {
    reader.close();
  }
}

/** Makes the days of the request log that old lines belong to. Those that have expired need none. */
async function makeDays(source: Store, target: Store, ttlMs: number): Promise<void> {
  const nowMs = target.clock.now();
  const oldest = await source.read(one<{ atMs: number | null }>('SELECT min(created_at) AS "atMs" FROM request'));
  await makeRequestDays(target, ttlMs, Math.max(oldest?.atMs ?? nowMs, nowMs - ttlMs), nowMs);
}

/** Copies the documents of unfinished jobs that are files. They are durable before the rows that need them. */
async function copyDocuments(source: Store, target: Store, dataDir: string): Promise<number> {
  const needed = await source.read(
    all<{ id: string; sizeBytes: number; sha256: string }>(
      `SELECT document.id, size_bytes AS "sizeBytes", sha256 FROM job JOIN document ON document.id = job.document_id
       WHERE job.finished_at IS NULL AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = document.id)`,
    ),
  );
  // A bucket gets only new documents; these are found in the database too.
  const storage = createRowStorage(target);
  let copied = 0;
  for (const blob of needed) {
    const path = join(dataDir, 'documents', blob.id);
    // Its job will fail, as it would in the directory itself.
    if (!existsSync(path)) continue;
    await storage.put(blob, new UploadFile(path));
    copied++;
  }
  return copied;
}
