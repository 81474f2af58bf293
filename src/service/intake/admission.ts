import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { hashApiKey, isWellFormedApiKey } from '../../contract/api-key.js';
import { suggest } from '../../contract/suggest.js';
import { catalog, findFunction } from '../../functions/catalog.js';
import type { OcrFunction } from '../../functions/function.js';
import type { Access, CallingKey } from '../../store/access.js';
import { readKey } from '../http/read-key.js';
import { readPreference } from '../http/read-preference.js';
import { checkUploadHeaders } from '../http/receive-upload.js';
import { ServiceError } from '../http/service-error.js';
import type { ServiceComponents } from '../service-components.js';
import type { KeyAccess } from './access-cache.js';
import {
  checkFunction,
  checkQuota,
  checkRate,
  checkSubscription,
  countCall,
  describeRate,
  type Quota,
} from './check-access.js';

/** A caller that may run a function now. */
export interface CallerAdmission {
  caller: Access;
  target: OcrFunction;
  quota: Quota;
}

/** A call whose headers passed every check. Its body comes next. */
export interface Admission extends CallerAdmission {
  idempotencyKey: string | undefined;
  /** `Prefer: respond-async` (RFC 7240). */
  wantsAsync: boolean;
}

/** Receives facts of a call as soon as they are known, also for calls that are refused later. */
export interface AdmissionWatch {
  authenticated(caller: Access): void;
  /** Called once the call is counted, with the renderer of its `RateLimit-*` headers. */
  counted(describe: () => Record<string, string>): void;
}

/**
 * Checks a call, and refuses it, in this order:
 *
 *   authenticate → subscription (402) → function exists → function allowed (403) → rate (429) → quota (429) → size
 *
 * accept-document.ts continues with the body: multipart → arguments → type by bytes (415) → page cap (400).
 */
export async function admit(
  components: ServiceComponents,
  request: IncomingMessage,
  functionId: string,
  watch: AdmissionWatch,
): Promise<Admission> {
  const caller = await authenticate(components, request.headers);
  watch.authenticated(caller);
  const admission = await admitCaller(components, caller, functionId, watch);
  checkUploadHeaders(request, components.config.maxFileBytes);
  const idempotencyKey = readIdempotencyKey(request.headers);
  return {
    ...admission,
    idempotencyKey,
    wantsAsync: readPreference(request.headers, 'respond-async') !== undefined,
  };
}

/** Checks a known caller, from the subscription to the quota, and counts the call. */
export async function admitCaller(
  { store, rates, config }: ServiceComponents,
  caller: Access,
  functionId: string,
  watch?: Pick<AdmissionWatch, 'counted'>,
): Promise<CallerAdmission> {
  const nowMs = store.clock.now();
  checkSubscription(caller, nowMs);
  const target = findTarget(functionId);
  checkFunction(caller, target.id);
  const rate = await countCall(rates, caller);
  watch?.counted(() => describeRate(rate));
  checkRate(rate, caller.plan, config.rateWindowMs);
  const quota = await checkQuota(store, caller, nowMs);
  return { caller, target, quota };
}

/** @throws ServiceError PROVIDER_UNAVAILABLE */
export function refuseWhileStopping({ activity }: Pick<ServiceComponents, 'activity'>): void {
  if (activity.isStopping)
    throw new ServiceError('PROVIDER_UNAVAILABLE', 'The service is stopping', { headers: { connection: 'close' } });
}

/**
 * Finds the organisation's key of a call. @throws ServiceError UNAUTHORIZED, FORBIDDEN for a support key, which only reads
 */
export async function authenticate(components: ServiceComponents, headers: IncomingHttpHeaders): Promise<Access> {
  const caller = await authenticateReader(components, headers);
  if (caller.organisationId !== undefined) return caller;
  throw new ServiceError('FORBIDDEN', 'A support key reads requests and jobs; it may do nothing else', { caller });
}

/** Finds the key of a call that reads: an organisation's, or a support key. @throws ServiceError UNAUTHORIZED */
export async function authenticateReader(
  components: ServiceComponents,
  headers: IncomingHttpHeaders,
): Promise<KeyAccess> {
  const key = readKey(headers);
  if (key === undefined)
    throw unauthorized('No API key: send it as "Authorization: Bearer <key>" or as "X-API-Key: <key>"');
  // A typo is caught by the checksum, before any look-up.
  const hash = isWellFormedApiKey(key) ? hashApiKey(key) : undefined;
  const caller = hash === undefined ? undefined : await components.access.find(hash);
  if (caller !== undefined) return caller;
  // The log says whose key it was; the answer tells nobody whether there was one.
  const owner = hash === undefined ? undefined : await components.access.findRefused(hash).catch(() => undefined);
  throw unauthorized('The API key is unknown, revoked or expired', owner);
}

function unauthorized(message: string, caller?: CallingKey): ServiceError {
  const headers = { 'www-authenticate': 'Bearer' };
  return new ServiceError('UNAUTHORIZED', message, { headers, ...(caller === undefined ? {} : { caller }) });
}

function findTarget(functionId: string): OcrFunction {
  const target = findFunction(functionId);
  if (target !== undefined) return target;
  const ids = catalog.map((entry) => entry.id);
  const nearest = suggest(functionId.slice(0, 100), ids);
  throw new ServiceError(
    'NOT_FOUND',
    `There is no function ${JSON.stringify(functionId.slice(0, 60))}: ${nearest === undefined ? `there are ${ids.join(', ')}` : `did you mean ${nearest}?`}`,
  );
}

export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ServiceError('INVALID_ARGS', 'The Idempotency-Key must be 1 to 255 printable ASCII characters');
  return key;
}
