import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../contract/endpoint.js';
import { OcrError } from '../contract/ocr-error.js';
import { FIRST_KEY_FILE_NAME } from '../contract/service-file.js';
import { isNewerVersion } from './compare-versions.js';
import { type FoundService, probeService } from './probe-service.js';

const REPLACE_TIMEOUT_MS = 10_000;

export interface LocateOptions {
  dataDir: string;
  /** Version of this tool: an idle background service of an older version is replaced. */
  version: string;
  env: NodeJS.ProcessEnv;
  /** Told what takes a moment. */
  note(message: string): void;
  signal?: AbortSignal;
}

/**
 * The service on this machine: joins the one that holds the data directory or starts it.
 * @throws OcrError LOCAL_UNAVAILABLE, DATA_DIR_UNWRITABLE; the signal's reason
 */
export async function ensureLocalService(options: LocateOptions): Promise<Endpoint> {
  let found = await probeService(options.dataDir);
  if (found !== undefined && isOutdated(found, options.version)) {
    options.note(`Replacing the service of version ${found.file.version}…`);
    const { stopService } = await import('./stop-service.js');
    if (await stopService(found, REPLACE_TIMEOUT_MS, options.signal)) found = undefined;
  }
  if (found === undefined) {
    options.note('Starting the service on this machine…');
    // Not loaded by the many commands that find it running.
    const { startService } = await import('./start-service.js');
    found = await startService(options);
  }
  return {
    baseUrl: found.file.url,
    apiKey: readFirstKey(options.dataDir),
    serverId: localServerId(options.dataDir),
    isOnThisMachine: true,
  };
}

/** Returns the ledger's id for the service of a data directory, which is the same on every port. */
export function localServerId(dataDir: string): string {
  return `local:${dataDir}`;
}

/** A foreground `ocr serve` is somebody's own decision, and a busy service is never cut short. */
function isOutdated({ file, health }: FoundService, version: string): boolean {
  const isIdle = health.unfinishedJobs === 0 && health.openRequests === 0;
  return file.stopsWhenIdle && isIdle && isNewerVersion(version, file.version);
}

function readFirstKey(dataDir: string): string {
  const path = join(dataDir, FIRST_KEY_FILE_NAME);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new OcrError('LOCAL_UNAVAILABLE', `Cannot read the key of the service on this machine: ${path}`, {
      hint: 'ocr local stop, then run the command again',
      cause: error,
    });
  }
}
