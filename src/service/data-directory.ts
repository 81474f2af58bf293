import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OcrError } from '../contract/ocr-error.js';
import { parseServiceFile, SERVICE_FILE_NAME, type ServiceFile } from '../contract/service-file.js';
import { type DirectoryLock, lockDirectory } from '../store/directory-lock.js';
import { writeFileAtomically } from './write-file-atomically.js';

const HOLDER_WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * Makes the data directory, for this user alone where it is new, and takes it. One service holds it at a time; the system releases it when
 * its holder dies, however it dies.
 * @throws OcrError DATA_DIR_LOCKED naming the holder, DATA_DIR_UNWRITABLE
 */
export async function takeDataDirectory(dataDir: string): Promise<DirectoryLock> {
  let lock: DirectoryLock | undefined;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    lock = lockDirectory(dataDir);
  } catch (error) {
    throw cannotWrite(dataDir, error);
  }
  if (lock !== undefined) return lock;
  const holder = await findHolder(dataDir);
  const named = holder === undefined ? 'another service' : `the service of process ${holder.pid}, ${holder.url}`;
  throw new OcrError('DATA_DIR_LOCKED', `The data directory ${dataDir} is held by ${named}`, {
    hint: 'stop that service, or choose another directory: ocr serve --data-dir <dir>',
  });
}

export function cannotWrite(dataDir: string, error: unknown): OcrError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code;
  return new OcrError('DATA_DIR_UNWRITABLE', `Cannot write the data directory ${dataDir}: ${reason}`, {
    hint: 'choose a directory that you can write: ocr serve --data-dir <dir>',
    cause: error,
  });
}

/** The holder's own word; one that has just started writes it in a moment. */
async function findHolder(dataDir: string): Promise<ServiceFile | undefined> {
  const deadline = Date.now() + HOLDER_WAIT_MS;
  do {
    const file = await readFile(join(dataDir, SERVICE_FILE_NAME), 'utf8').then(parseServiceFile, () => undefined);
    if (file !== undefined && isRunning(file.pid)) return file;
    await sleep(LOOK_AGAIN_MS);
  } while (Date.now() < deadline);
  return undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export async function announceService(dataDir: string, file: ServiceFile): Promise<void> {
  await writeFileAtomically(join(dataDir, SERVICE_FILE_NAME), `${JSON.stringify(file)}\n`);
}

export async function withdrawService(dataDir: string): Promise<void> {
  await rm(join(dataDir, SERVICE_FILE_NAME), { force: true });
}
