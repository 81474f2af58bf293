import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * `service.json` in a data directory: written by the service that holds the directory once it listens, removed when it
 * stops; readable by its owner alone. A file left by a killed holder is told apart by asking its address for `/healthz`
 * with a nonce: only who knows `proofKey` can answer it, and another program that got the port does not.
 */
export interface ServiceFile {
  url: string;
  pid: number;
  version: string;
  /** New at every start. */
  instanceId: string;
  /** Secret, and new at every start. */
  proofKey: string;
  startedAt: string;
  /** Started in the background by the client, to stop by itself; such a service may be replaced by a newer one. */
  stopsWhenIdle: boolean;
}

export const SERVICE_FILE_NAME = 'service.json';

/** The key that the service mints when it first starts on an empty data directory; mode 0600, one line. */
export const FIRST_KEY_FILE_NAME = 'api-key';

/** HMAC-SHA256 of the nonce, lower-case hex. */
export function proveHealth(proofKey: string, nonce: string): string {
  return createHmac('sha256', proofKey).update(nonce).digest('hex');
}

export function isHealthProof(proofKey: string, nonce: string, proof: string | undefined): boolean {
  const expected = Buffer.from(proveHealth(proofKey, nonce));
  const got = Buffer.from(proof ?? '');
  return got.length === expected.length && timingSafeEqual(got, expected);
}

/** What `GET /healthz?nonce=…` answers, without authentication. The fields after `instanceId` are for callers on loopback alone. */
export interface HealthBody {
  status: 'ok' | 'stopping';
  version: string;
  instanceId: string;
  /** Where a nonce was given. */
  proof?: string;
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
  const { url, pid, version, instanceId, proofKey, startedAt, stopsWhenIdle } = value as Record<string, unknown>;
  if (
    typeof url !== 'string' ||
    !/^http:\/\/[^/]+$/.test(url) ||
    !URL.canParse(url) ||
    typeof pid !== 'number' ||
    typeof version !== 'string'
  )
    return undefined;
  if (typeof instanceId !== 'string' || typeof proofKey !== 'string' || typeof startedAt !== 'string') return undefined;
  return { url, pid, version, instanceId, proofKey, startedAt, stopsWhenIdle: stopsWhenIdle === true };
}
