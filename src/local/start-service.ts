import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../contract/exit-codes.js';
import { OcrError } from '../contract/ocr-error.js';
import { sleep } from '../contract/sleep.js';
import { isNoSpace, reasonOf } from '../contract/system-reason.js';
import { backgroundLifetime } from '../system/child-lifetime.js';
import { directoryHint } from '../system/directory-hint.js';
import { describeFullDisk } from '../system/full-disk.js';
import { makeDirectory } from '../system/make-directory.js';
import { refuseWithoutPackages } from './missing-packages.js';
import { type FoundService, probeService } from './probe-service.js';
import { rotateServiceLog, serviceLogPath } from './service-log.js';
import { takeStartLock } from './start-lock.js';

const LAUNCHER = fileURLToPath(new URL('../../bin/ocr.js', import.meta.url));
/** Longer than a stale lock is believed. */
const START_TIMEOUT_MS = 45_000;
const POLL_INTERVAL_MS = 25;
const LOST_RACE_WAIT_MS = 3_000;

/**
 * Settings of a service for one person's machine: nearly everything may come back inline, what takes longer
 * than two seconds becomes a job with progress, and it ends when nobody needs it. Variables that are set win.
 */
const BACKGROUND_SETTINGS = {
  OCR_SERVE_INLINE_MAX_PAGES: '1000',
  OCR_SERVE_INLINE_MAX_BYTES: String(50 * 1024 * 1024),
  OCR_SERVE_INLINE_TIMEOUT_MS: '2000',
  OCR_SERVE_IDLE_EXIT_MS: '600000',
};

/** All that the service is told of the caller's environment: it reads other people's documents and outlives the command. */
const INHERITED_VARIABLES =
  /^(?:OCR_SERVE_.*|PATH|HOME|TMPDIR|TEMP|TMP|LANG|LC_.*|TZ|TESSDATA_PREFIX|LD_LIBRARY_PATH|SystemRoot|windir|SystemDrive|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|NODE_EXTRA_CA_CERTS)$/i;

/**
 * Variables of a service that several machines share. The service of one machine keeps its own store, and its own key; its portal
 * is its user's alone, without a sign-in provider.
 */
const FLEET_VARIABLES = /^OCR_SERVE_(?:DATABASE_URL|DATABASE_LISTEN_URL|ROLE|BLOBS_URL|SECRET_FILE|PORTAL_OIDC_.*)$/i;

export interface StartOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
}

/**
 * Starts the service in the background, or waits for the one that another command is starting.
 * @throws OcrError LOCAL_UNAVAILABLE, DATA_DIR_UNWRITABLE; the signal's reason
 */
export async function startService(options: StartOptions): Promise<FoundService> {
  refuseWithoutPackages('set OCR_BASE_URL and OCR_API_KEY to use another server');
  await prepareDataDirectory(options.dataDir);
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const release = await takeStartLock(options.dataDir).catch((error: unknown) => {
      throw dataDirectoryError(options.dataDir, error as NodeJS.ErrnoException);
    });
    if (release === undefined) {
      const found = await probeService(options.dataDir);
      if (found !== undefined) return found;
      await sleep(POLL_INTERVAL_MS, options.signal);
      continue;
    }
    try {
      return (await probeService(options.dataDir)) ?? (await spawnService(options, deadline));
    } finally {
      await release();
    }
  }
  throw new OcrError(
    'LOCAL_UNAVAILABLE',
    `The service on this machine did not start within ${START_TIMEOUT_MS / 1000} s`,
    {
      hint: 'ocr local logs',
    },
  );
}

async function prepareDataDirectory(dataDir: string): Promise<void> {
  try {
    makeDirectory(dataDir, 0o700);
    await rotateServiceLog(dataDir);
    await (await open(serviceLogPath(dataDir), 'a', 0o600)).close();
  } catch (error) {
    throw dataDirectoryError(dataDir, error as NodeJS.ErrnoException);
  }
}

function dataDirectoryError(dataDir: string, error: NodeJS.ErrnoException): OcrError {
  const fullDisk = describeFullDisk(dataDir);
  const reason = fullDisk ?? reasonOf(error);
  return new OcrError('DATA_DIR_UNWRITABLE', `Cannot write the data directory ${dataDir}: ${reason}`, {
    hint: directoryHint('OCR_DATA_DIR', fullDisk !== undefined || isNoSpace(error)),
    cause: error,
  });
}

async function spawnService(options: StartOptions, deadline: number): Promise<FoundService> {
  const { dataDir } = options;
  const log = await open(serviceLogPath(dataDir), 'a', 0o600);
  const logStart = (await log.stat()).size;
  const args = [LAUNCHER, 'serve', '--host', '127.0.0.1', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, {
    cwd: dataDir,
    ...backgroundLifetime(),
    env: serviceEnvironment(options.env),
    stdio: ['ignore', log.fd, log.fd],
  });
  let exitedAtMs: number | undefined;
  const exited = () => {
    exitedAtMs ??= performance.now();
  };
  child.once('exit', exited);
  child.once('error', exited);
  await log.close();
  try {
    while (performance.now() < deadline) {
      const found = await probeService(dataDir);
      if (found !== undefined) return found;
      // One that somebody started by hand at the same moment may hold the directory: it is about to answer.
      const patienceMs = child.exitCode === EXIT.failed ? LOST_RACE_WAIT_MS : 0;
      if (exitedAtMs !== undefined && performance.now() - exitedAtMs >= patienceMs)
        throw await explainFailedStart(dataDir, logStart);
      await sleep(POLL_INTERVAL_MS, options.signal);
    }
    throw new OcrError('LOCAL_UNAVAILABLE', 'The service on this machine does not answer', { hint: 'ocr local logs' });
  } finally {
    child.unref();
  }
}

/** Returns the environment of the service on this machine, also for what works on its store beside it. */
export function serviceEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => INHERITED_VARIABLES.test(name) && !FLEET_VARIABLES.test(name));
  return { ...BACKGROUND_SETTINGS, ...Object.fromEntries(kept) };
}

async function explainFailedStart(dataDir: string, logStart: number): Promise<OcrError> {
  const written = await readFile(serviceLogPath(dataDir)).catch(() => Buffer.alloc(0));
  const reason = /^ocr: (.+)$/m.exec(written.toString('utf8', logStart))?.[1];
  const message = `The service on this machine cannot start: ${reason ?? 'it ended at once'}`;
  // The service's own message about a full disk may not have fitted into the log.
  if (describeFullDisk(dataDir) !== undefined) return dataDirectoryError(dataDir, new Error(message));
  return new OcrError('LOCAL_UNAVAILABLE', message, { hint: 'ocr local logs' });
}
