/**
 * `service.json` in a data directory: written by the service that holds the directory once it listens, removed when it
 * stops. A file left by a killed holder is told apart by asking its address for `/healthz` and comparing `instanceId`.
 */
export interface ServiceFile {
  url: string;
  pid: number;
  version: string;
  /** New at every start. */
  instanceId: string;
  startedAt: string;
  /** Started in the background by the client, to stop by itself; such a service may be replaced by a newer one. */
  stopsWhenIdle: boolean;
}

export const SERVICE_FILE_NAME = 'service.json';

/** The key that the service mints when it first starts on an empty data directory; mode 0600, one line. */
export const FIRST_KEY_FILE_NAME = 'api-key';

/** What `GET /healthz` answers, without authentication. The fields after `instanceId` are for callers on loopback alone. */
export interface HealthBody {
  status: 'ok' | 'stopping';
  version: string;
  instanceId: string;
  pid?: number;
  /** Jobs that are queued or being worked on. */
  unfinishedJobs?: number;
  /** Calls under way, without health checks. */
  openRequests?: number;
  /** Milliseconds since the last call ended or the last job finished; 0 while there is work. */
  idleMs?: number;
}

/** Absent when the text is not what a service wrote (a file cut by a full disk, say). */
export function parseServiceFile(text: string): ServiceFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { url, pid, version, instanceId, startedAt, stopsWhenIdle } = value as Record<string, unknown>;
  if (typeof url !== 'string' || typeof pid !== 'number' || typeof version !== 'string') return undefined;
  if (typeof instanceId !== 'string' || typeof startedAt !== 'string') return undefined;
  return { url, pid, version, instanceId, startedAt, stopsWhenIdle: stopsWhenIdle === true };
}
