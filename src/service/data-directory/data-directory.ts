import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OcrError } from '../../contract/ocr-error.js';
import { parseServiceFile, SERVICE_FILE_NAME, type ServiceFile } from '../../contract/service-file.js';
import { isNoSpace, reasonOfDirectory } from '../../contract/system-reason.js';
import { StoreTooNewError } from '../../store/schema.js';
import { classifySqliteError } from '../../store/sqlite/database.js';
import { type DirectoryLock, lockDirectory } from '../../store/sqlite/directory-lock.js';
import { describeFullDisk } from '../../system/full-disk.js';
import { isAlive } from '../../system/is-alive.js';
import { makeDirectory } from '../../system/make-directory.js';
import { writeFileAtomically } from '../../system/write-file-atomically.js';

export const STORE_FILE_NAME = 'ocr.db';
const HOLDER_WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * Creates the data directory, for this user alone, when it is missing, and takes it. One service holds it at a time. The system
 * releases it when its holder dies in any way.
 * @throws OcrError DATA_DIR_LOCKED naming the holder, DATA_DIR_UNWRITABLE
 */
export async function takeDataDirectory(dataDir: string): Promise<DirectoryLock> {
  const deadline = performance.now() + HOLDER_WAIT_MS;
  let holder: ServiceFile | undefined;
  do {
    let lock: DirectoryLock | undefined;
    try {
      makeDirectory(dataDir, 0o700);
      lock = lockDirectory(dataDir);
    } catch (error) {
      throw cannotServe(dataDir, error);
    }
    if (lock !== undefined) return lock;
    // A service announces itself shortly after its start; `ocr admin` holds the lock during an upgrade.
    holder = await findHolder(dataDir);
    if (holder === undefined) await sleep(LOOK_AGAIN_MS);
  } while (holder === undefined && performance.now() < deadline);
  const named = holder === undefined ? 'another service' : `the service of process ${holder.pid}, ${holder.url}`;
  throw new OcrError('DATA_DIR_LOCKED', `The data directory ${dataDir} is held by ${named}`, {
    hint: 'Stop that service, or choose another directory: ocr serve --data-dir <dir>',
  });
}

/** Explains a failed write. The hints cover a full disk and other reasons. */
export function cannotWrite(dataDir: string, error: unknown, hints: { space: string; access: string }): OcrError {
  const fullDisk = describeFullDisk(dataDir);
  const isFull = fullDisk !== undefined || isNoSpace(error);
  return new OcrError(
    'DATA_DIR_UNWRITABLE',
    `Cannot write the data directory ${dataDir}: ${fullDisk ?? reasonOfDirectory(error)}`,
    { hint: isFull ? hints.space : hints.access, cause: error },
  );
}

/** Explains a failed write for a service, which may use another directory. */
export function cannotServe(dataDir: string, error: unknown): OcrError {
  const access = 'Choose a directory that you can write: ocr serve --data-dir <dir>';
  return cannotWrite(dataDir, error, { access, space: `Free some space. Or: ${access}` });
}

/** Explains a store that cannot be used; undefined for other errors. */
export function explainUnusableStore(path: string, error: unknown): OcrError | undefined {
  if (!(error instanceof StoreTooNewError || classifySqliteError(error) === 'corrupt')) return undefined;
  return new OcrError('DATA_DIR_INCOMPATIBLE', `Cannot use ${path}: ${(error as Error).message}`, {
    hint: 'Use the version of the tool that wrote it, restore a copy, or choose another directory.',
    cause: error,
  });
}

async function readServiceFile(dataDir: string): Promise<ServiceFile | undefined> {
  return await readFile(join(dataDir, SERVICE_FILE_NAME), 'utf8').then(parseServiceFile, () => undefined);
}

/** Returns the service file of a live holder. */
export async function findHolder(dataDir: string): Promise<ServiceFile | undefined> {
  const file = await readServiceFile(dataDir);
  return file !== undefined && isAlive(file.pid) ? file : undefined;
}

/**
 * True when an announced service has lost its directory, of which `fileName` is always there. It then stores into deleted files,
 * and another service may run in a new directory.
 */
export async function isDirectoryLost(dataDir: string, instanceId: string, fileName: string): Promise<boolean> {
  const file = await readServiceFile(dataDir);
  if (file !== undefined && file.instanceId !== instanceId) return true;
  return await stat(join(dataDir, fileName)).then(
    () => false,
    // Other errors may pass.
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

export async function announceService(dataDir: string, file: ServiceFile): Promise<void> {
  await writeFileAtomically(join(dataDir, SERVICE_FILE_NAME), `${JSON.stringify(file)}\n`);
}

/** Removes the service file, unless the directory was replaced and belongs to another service now. */
export async function withdrawService(dataDir: string, instanceId: string): Promise<void> {
  if ((await readServiceFile(dataDir))?.instanceId !== instanceId) return;
  await rm(join(dataDir, SERVICE_FILE_NAME), { force: true });
}
