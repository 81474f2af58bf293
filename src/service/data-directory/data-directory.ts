import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OcrError } from '../../contract/ocr-error.js';
import { parseServiceFile, SERVICE_FILE_NAME, type ServiceFile } from '../../contract/service-file.js';
import { isNoSpace, reasonOf } from '../../contract/system-reason.js';
import { classifySqliteError } from '../../store/database.js';
import { type DirectoryLock, lockDirectory } from '../../store/directory-lock.js';
import { StoreTooNewError } from '../../store/migrate.js';
import { describeFullDisk } from '../../system/full-disk.js';
import { isAlive } from '../../system/is-alive.js';
import { makeDirectory } from '../../system/make-directory.js';
import { writeFileAtomically } from '../../system/write-file-atomically.js';

export const STORE_FILE_NAME = 'ocr.db';
const HOLDER_WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * Makes the data directory, for this user alone where it is new, and takes it. One service holds it at a time; the system releases it when
 * its holder dies, however it dies.
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
    // A service that has just started names itself in a moment; `ocr admin` holds the lock for as long as an upgrade takes.
    holder = await findHolder(dataDir);
    if (holder === undefined) await sleep(LOOK_AGAIN_MS);
  } while (holder === undefined && performance.now() < deadline);
  const named = holder === undefined ? 'another service' : `the service of process ${holder.pid}, ${holder.url}`;
  throw new OcrError('DATA_DIR_LOCKED', `The data directory ${dataDir} is held by ${named}`, {
    hint: 'Stop that service, or choose another directory: ocr serve --data-dir <dir>',
  });
}

/** The hints say what to do about a full disk, and otherwise. */
export function cannotWrite(dataDir: string, error: unknown, hints: { space: string; access: string }): OcrError {
  const fullDisk = describeFullDisk(dataDir);
  const isFull = fullDisk !== undefined || isNoSpace(error);
  return new OcrError(
    'DATA_DIR_UNWRITABLE',
    `Cannot write the data directory ${dataDir}: ${fullDisk ?? reasonOf(error)}`,
    { hint: isFull ? hints.space : hints.access, cause: error },
  );
}

/** For a service, which may have its data in another directory. */
export function cannotServe(dataDir: string, error: unknown): OcrError {
  const access = 'Choose a directory that you can write: ocr serve --data-dir <dir>';
  return cannotWrite(dataDir, error, { access, space: `Free some space. Or: ${access}` });
}

/** Undefined where the store itself is not the reason. */
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

/** The holder's own word. */
async function findHolder(dataDir: string): Promise<ServiceFile | undefined> {
  const file = await readServiceFile(dataDir);
  return file !== undefined && isAlive(file.pid) ? file : undefined;
}

/**
 * Whether a service that announced itself has lost its directory: what it stores goes into files without a name, and
 * another service may run in a directory that was made anew.
 */
export async function isDirectoryLost(dataDir: string, instanceId: string): Promise<boolean> {
  const file = await readServiceFile(dataDir);
  if (file !== undefined && file.instanceId !== instanceId) return true;
  return await stat(join(dataDir, STORE_FILE_NAME)).then(
    () => false,
    // Whatever else is wrong with it may pass.
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

export async function announceService(dataDir: string, file: ServiceFile): Promise<void> {
  await writeFileAtomically(join(dataDir, SERVICE_FILE_NAME), `${JSON.stringify(file)}\n`);
}

/** Where the directory was removed meanwhile, another service may have announced itself in a new one. */
export async function withdrawService(dataDir: string, instanceId: string): Promise<void> {
  if ((await readServiceFile(dataDir))?.instanceId !== instanceId) return;
  await rm(join(dataDir, SERVICE_FILE_NAME), { force: true });
}
