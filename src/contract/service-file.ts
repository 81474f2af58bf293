import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The content of `service.json` in a data directory. The service that holds the directory writes it once it listens and
 * removes it when it stops; only the owner can read it. A killed service leaves its file behind: `GET /healthz` with a
 * nonce shows that, for only a program that knows `proofKey` can answer.
 */
export interface ServiceFile {
  url: string;
  pid: number;
  version: string;
  /** A new id at every start. */
  instanceId: string;
  /** A new secret at every start. */
  proofKey: string;
  startedAt: string;
  /** True for a service that the client started in the background: it stops by itself, and a newer one may replace it. */
  stopsWhenIdle: boolean;
}

export const SERVICE_FILE_NAME = 'service.json';

/** File of the key that the service makes when it first starts on an empty data directory; mode 0600, one line. */
export const FIRST_KEY_FILE_NAME = 'api-key';

/** Returns the HMAC-SHA256 of the nonce, lower-case hex. */
export function proveHealth(proofKey: string, nonce: string): string {
  return createHmac('sha256', proofKey).update(nonce).digest('hex');
}

export function isHealthProof(proofKey: string, nonce: string, proof: string | undefined): boolean {
  const expected = Buffer.from(proveHealth(proofKey, nonce));
  const got = Buffer.from(proof ?? '');
  return got.length === expected.length && timingSafeEqual(got, expected);
}

/** The answer of `GET /healthz?nonce=…`, without authentication. Only callers on loopback get the fields after `instanceId`. */
export interface HealthBody {
  status: 'ok' | 'stopping';
  version: string;
  instanceId: string;
  /** Answer to the nonce of the request. */
  proof?: string;
  pid?: number;
  /** Jobs that are queued or running. */
  unfinishedJobs?: number;
  /** Calls in progress, without health checks. */
  openRequests?: number;
  /** Milliseconds since the last call or job ended; 0 while there is work. */
  idleMs?: number;
}

/** Parses the file; undefined for a text that no service wrote, such as a file that a full disk cut. */
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
