import type { FastifyReply, FastifyRequest } from 'fastify';
import { createId } from '../../contract/identifiers.js';
import { hideSecrets } from '../../contract/secrets.js';
import type { RequestEntry } from '../../store/requests.js';
import type { ServiceComponents } from '../service-components.js';
import { beginCall, callOf, type GivenAnswer } from './call-record.js';
import { lastFourOf } from './read-key.js';
import { whenClosed } from './when-closed.js';

const MAX_PATH_LENGTH = 200;

/** Paths that monitoring reads every few seconds without a key. They are not logged as calls. */
const NOT_LOGGED = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Page views are no calls of a function: the portal has its audit log. A form that runs a function is one. */
const NOT_STORED = /^\/portal(?:[/?]|$)/;

export interface CallLog {
  /** Follows a call to its end: counts it while it is open, logs it, and adds its line to the request log. */
  follow(request: FastifyRequest, reply: FastifyReply): void;
  /** Logs a request that is not valid HTTP. Returns its requestId. */
  noteUnparsed(status: number, message: string): string;
}

export function createCallLog(components: ServiceComponents): CallLog {
  const { activity, log, metrics, requests, store } = components;
  return {
    follow(request, reply) {
      const record = beginCall(request, store.clock.now());
      if (NOT_LOGGED.test(request.url)) return;
      let answer: GivenAnswer | undefined;
      let isClosed = false;
      activity.openRequests++;
      record.onAnswer = (given) => {
        answer = given;
        const entry = describeCall(request, given);
        const route = request.routeOptions.url ?? 'none';
        const { status, errorCode: code } = given;
        metrics.noteCall({ method: request.method, route, status, code }, entry.durationMs);
        if (entry.function !== '' || !NOT_STORED.test(request.url)) requests.add(entry);
        if (isClosed) end(entry.durationMs);
      };
      whenClosed(request.raw, reply.raw, () => {
        isClosed = true;
        activity.openRequests--;
        activity.lastEndedAtMs = performance.now();
        if (answer !== undefined) end(record.elapsedMs());
      });
      function end(durationMs: number): void {
        if (answer === undefined) return;
        writeLine(components, request, answer, durationMs);
      }
    },
    noteUnparsed(status, message) {
      const nowMs = store.clock.now();
      const id = createId('req', nowMs);
      requests.add({ ...UNKNOWN, id, status, errorMessage: message, createdAtMs: nowMs, durationMs: 0 });
      metrics.noteCall({ method: 'unknown', route: 'none', status, code: undefined }, 0);
      log.info({ requestId: id, status, reason: message }, 'call');
      return id;
    },
  };
}

const UNKNOWN = {
  method: '',
  path: undefined,
  organisationId: undefined,
  keyId: undefined,
  keyLastFour: undefined,
  function: '',
  fileName: undefined,
  sizeBytes: undefined,
  sha256: undefined,
  mimeType: undefined,
  pageCount: undefined,
  jobId: undefined,
  isCached: false,
  replayOf: undefined,
  errorCode: undefined,
  provider: undefined,
  processingMs: undefined,
} as const;

/** Renders a call for the request log. Users put keys into paths and names; those are removed. */
export function describeCall(request: FastifyRequest, answer: GivenAnswer): RequestEntry {
  const { caller, facts, startedAtMs, elapsedMs, jobId, isCached, replayOf, functionId } = callOf(request);
  return {
    id: request.id,
    method: request.method,
    path: pathOf(request),
    organisationId: caller?.organisationId,
    keyId: caller?.keyId,
    keyLastFour: keyOf(request),
    function: hideSecrets(functionId),
    fileName: facts?.fileName,
    sizeBytes: facts?.sizeBytes,
    sha256: facts?.sha256,
    mimeType: facts?.mimeType,
    pageCount: facts?.pageCount,
    jobId,
    isCached,
    replayOf,
    status: answer.status,
    errorCode: answer.errorCode,
    errorMessage: answer.errorMessage === undefined ? undefined : hideSecrets(answer.errorMessage),
    provider: answer.meta?.provider,
    processingMs: answer.meta?.durationMs,
    createdAtMs: startedAtMs,
    durationMs: elapsedMs(),
  };
}

function keyOf(request: FastifyRequest): string | undefined {
  return callOf(request).caller?.keyLastFour ?? lastFourOf(request.headers);
}

function pathOf(request: FastifyRequest): string {
  return hideSecrets(request.url.split('?', 1)[0] ?? '').slice(0, MAX_PATH_LENGTH);
}

/** File names appear only at level debug. */
function writeLine({ log }: ServiceComponents, request: FastifyRequest, answer: GivenAnswer, durationMs: number): void {
  const { caller, functionId, jobId, facts, isCached } = callOf(request);
  const line = {
    requestId: request.id,
    method: request.method,
    path: pathOf(request),
    organisation: caller?.organisationId,
    key: keyOf(request),
    function: functionId === '' ? undefined : hideSecrets(functionId),
    status: answer.status,
    code: answer.errorCode,
    jobId,
    cached: isCached || undefined,
    pages: facts?.pageCount,
    sizeBytes: facts?.sizeBytes,
    durationMs,
  };
  if (log.isLevelEnabled('debug')) log.debug({ ...line, fileName: facts?.fileName }, 'call');
  else log.info(line, 'call');
}
