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
  /** Origin of its portal, where that is another one than `url`. */
  publicUrl?: string;
  /** True for a process that only reads documents of a shared database: it has neither /v1 nor a portal. */
  isWorker?: true;
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
  return isEqual(proveHealth(proofKey, nonce), proof);
}

/** Path of the call that stops a service. It is for its own machine and no part of /v1. */
export const STOP_PATH = '/stop';

/** Header with the proof that the caller may read the service file. */
export const STOP_PROOF_HEADER = 'x-stop-proof';

/**
 * Returns the proof that stops one start of a service, lower-case hex. Its key differs from that of `proveHealth`, which answers
 * any nonce of any caller.
 */
export function proveStop({ proofKey, instanceId }: Pick<ServiceFile, 'proofKey' | 'instanceId'>): string {
  return createHmac('sha256', `stop ${proofKey}`).update(instanceId).digest('hex');
}

export function isStopProof(service: Pick<ServiceFile, 'proofKey' | 'instanceId'>, proof: string | undefined): boolean {
  return isEqual(proveStop(service), proof);
}

function isEqual(expectedText: string, text = ''): boolean {
  const [expected, got] = [Buffer.from(expectedText), Buffer.from(text)];
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
  const { url, pid, version, instanceId, proofKey, startedAt, publicUrl, isWorker, stopsWhenIdle } = value as Record<
    string,
    unknown
  >;
  if (
    typeof url !== 'string' ||
    !/^http:\/\/[^/]+$/.test(url) ||
    !URL.canParse(url) ||
    typeof pid !== 'number' ||
    typeof version !== 'string'
  )
    return undefined;
  if (typeof instanceId !== 'string' || typeof proofKey !== 'string' || typeof startedAt !== 'string') return undefined;
  return {
    url,
    pid,
    version,
    instanceId,
    proofKey,
    startedAt,
    ...(typeof publicUrl === 'string' ? { publicUrl } : {}),
    ...(isWorker === true ? { isWorker } : {}),
    stopsWhenIdle: stopsWhenIdle === true,
  };
}
