import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { adviseOnForeign, describeForeignType } from '../../contract/foreign-type.js';
import { createId } from '../../contract/identifiers.js';
import { sniffBytes } from '../../engine/sniff.js';
import type { TextLayerSample } from '../../engine/stages/text-layer/sample-text-layers.js';
import type { OcrFunction } from '../../functions/function.js';
import { type EarlierUse, findIdempotentUse, type IdempotentUse } from '../../store/idempotency.js';
import type { Effort } from '../../store/lanes.js';
import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import { findCachedResult } from '../../store/result-cache.js';
import { StoreFailedError } from '../../store/sqlite/store-failure.js';
import type { Unit } from '../../store/unit.js';
import type { UploadFacts } from '../http/call-record.js';
import { type ReceiveOptions, receiveUpload, type Upload } from '../http/receive-upload.js';
import { ServiceError } from '../http/service-error.js';
import { estimateEffort, isLookWorthwhile, UNCOUNTED } from '../page-counts/estimate-effort.js';
import { explainUncounted } from '../page-counts/explain-uncounted.js';
import type { Args } from '../secrets/args-vault.js';
import type { ServiceComponents } from '../service-components.js';
import type { Admission } from './admission.js';
import { checkPageCap, quotaExceeded } from './check-access.js';
import { parseArgs } from './parse-args.js';

/** Result of a call whose document was received and checked. */
export type Intake = { facts: UploadFacts } & (
  | { kind: 'job'; jobId: string; isInline: boolean; ended: Promise<boolean> }
  | { kind: 'cached'; jobId: string; use: IdempotentUse | undefined }
  | { kind: 'replay'; requestId: string }
);

export interface Call extends Admission {
  requestId: string;
  startedAtMs: number;
  /** Bound on the wait for the result, where it is shorter than that of the service. */
  maxWaitMs?: number;
  /** One use of a form: sent again with the same document and arguments, it repeats the first call. */
  formUse?: string;
  /** Writes more in the transaction of the job, or of the cached answer. */
  alsoWrite?: () => Unit<void>;
  /** Called with the facts of the received file, also when it is refused afterwards. */
  onReceived(facts: UploadFacts): void;
}

/**
 * Receives the document of an admitted call and checks it in the order of admission.ts: multipart → arguments → type → page
 * cap. The call then repeats an earlier answer, is answered from the cache, or becomes a job. Without a job no file stays on
 * disk.
 */
export async function acceptDocument(
  components: ServiceComponents,
  call: Call,
  request: IncomingMessage,
): Promise<Intake> {
  return await acceptUpload(components, call, await receiveUpload(request, describeUpload(components, call.requestId)));
}

/** Returns the bounds of an upload, and where it goes. */
export function describeUpload({ config, blobs }: ServiceComponents, requestId: string): ReceiveOptions {
  return {
    maxFileBytes: config.maxFileBytes,
    minRate: config.minUploadRate,
    rateWindowMs: config.headersTimeoutMs,
    createBlob: () => blobs.receive(`${requestId}.part`),
  };
}

/** Accepts a document that was received: the part of `acceptDocument` after its first step. */
export async function acceptUpload(components: ServiceComponents, call: Call, upload: Upload): Promise<Intake> {
  const { fileName, sizeBytes, sha256 } = upload;
  const facts: UploadFacts = { fileName, sizeBytes, sha256, mimeType: undefined, pageCount: undefined };
  call.onReceived(facts);
  try {
    return await settle(components, call, upload, facts);
  } finally {
    // A document that a job owns has another name, so this does not find it.
    await upload.blob.discard();
  }
}

async function settle(components: ServiceComponents, call: Call, upload: Upload, facts: UploadFacts): Promise<Intake> {
  const { target, caller } = call;
  const args = parseArgs(upload.argsText, target);
  const mimeType = identify(upload, target, facts);
  const nowMs = components.store.clock.now();
  const content = createHash('sha256')
    .update([upload.sha256, target.id, components.vault.fingerprint(args)].join('\n'))
    .digest('hex');
  const key = call.formUse === undefined ? call.idempotencyKey : `form ${call.formUse} ${content}`;
  const use = key === undefined ? undefined : { key, contentHash: content };
  const earlier = use && (await components.store.read(findIdempotentUse(caller.organisationId, use, nowMs)));
  if (earlier !== undefined) {
    // The first call may still wait for the disk.
    await components.store.synced();
    return answerEarlier(earlier, facts);
  }

  const engine = components.recognition.identify();
  const cacheKey = createHash('sha256').update(`${content}\n${engine}`).digest('hex');
  // An asynchronous call gets a job, even when the result is cached.
  const cached = call.wantsAsync
    ? undefined
    : await findCachedResult(components.store, caller.organisationId, cacheKey, nowMs - components.config.cacheTtlMs);
  if (cached !== undefined) {
    facts.pageCount = cached.documentPageCount;
    checkPageCap(cached.documentPageCount, target, caller.plan);
    return { kind: 'cached', jobId: cached.jobId, use, facts };
  }

  const { pageCount, sample, waitedMs } = await countPages(components, call, upload, mimeType, args);
  facts.pageCount = pageCount;
  if (pageCount !== undefined) checkPageCap(pageCount, target, caller.plan);
  const inlineMs = maxWaitOf(components, call) - waitedMs;
  const effort = pageCount === undefined ? UNCOUNTED : estimateEffort(target, { args, pageCount, sample });
  return await becomeJob(components, call, {
    upload,
    args,
    mimeType,
    cacheKey,
    engine,
    use,
    facts,
    pageCount,
    effort,
    inlineMs,
  });
}

/** Returns how long a call waits for its result. */
export function maxWaitOf({ config }: ServiceComponents, { maxWaitMs = Infinity }: Pick<Call, 'maxWaitMs'>): number {
  return Math.min(config.inlineTimeoutMs, maxWaitMs);
}

function identify(upload: Upload, target: OcrFunction, facts: UploadFacts): string {
  const mimeType = sniffBytes(upload.blob.head);
  facts.mimeType = mimeType;
  if (mimeType !== undefined && target.acceptedTypes.includes(mimeType)) return mimeType;
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', refuseType(upload, target, mimeType));
}

/** Names what is not read, with the way to read it; types that are read are listed where that is all there is to say. */
function refuseType(
  { blob, fileName }: Upload,
  { id, acceptedTypes }: OcrFunction,
  mimeType: string | undefined,
): string {
  const foreign = mimeType === undefined ? describeForeignType(blob.head) : undefined;
  if (foreign !== undefined)
    return adviseOnForeign(`The file is ${foreign}, which ${id} does not read`, foreign, fileName);
  const what =
    mimeType === undefined ? 'The type of the file is not recognised' : `The file is ${mimeType} by its bytes`;
  return `${what}; ${id} takes ${acceptedTypes.join(', ')}`;
}

/**
 * Returns the pages of the document; undefined when no counter became free while the call may wait. The job counts them then.
 */
async function countPages(
  { config, pageCounter, jobs, activity }: ServiceComponents,
  { caller: { organisationId }, target }: Call,
  { sha256, sizeBytes, blob }: Upload,
  mimeType: string,
  args: Args,
): Promise<{ pageCount: number | undefined; sample?: TextLayerSample | undefined; waitedMs: number }> {
  const handOver = (directory: string) => blob.spill(directory);
  // A document that is alone starts at once, whatever it takes.
  const isAlone = activity.openRequests <= 1 && jobs.runningCount === 0;
  const looksAtPages = !isAlone && isLookWorthwhile(target, args);
  const document = { sha256, sizeBytes, organisationId, mimeType, args, looksAtPages, handOver };
  const { outcome, waitedMs } = await pageCounter.count(document, config.inlineTimeoutMs);
  if (outcome === undefined) return { pageCount: undefined, waitedMs };
  switch (outcome.type) {
    case 'counted':
      return { pageCount: outcome.pageCount, sample: outcome.sample, waitedMs };
    // Only a job's count is ever cancelled.
    case 'cancelled':
    case 'fault':
      throw new Error(outcome.type === 'fault' ? outcome.message : 'a page count was cancelled');
    case 'unavailable':
      throw new ServiceError('PROVIDER_UNAVAILABLE', `The service cannot take the document now: ${outcome.message}`);
    default: {
      const { code, message } = explainUncounted(outcome);
      throw new ServiceError(code, message);
    }
  }
}

interface NewJob {
  upload: Upload;
  args: Args;
  mimeType: string;
  cacheKey: string;
  engine: string;
  use: IdempotentUse | undefined;
  facts: UploadFacts;
  /** Undefined until the job counts them. */
  pageCount: number | undefined;
  effort: Effort;
  /** Time that the caller waits for the result. */
  inlineMs: number;
}

async function becomeJob(components: ServiceComponents, call: Call, job: NewJob): Promise<Intake> {
  const { config, store, queue, blobs, jobs, vault } = components;
  const { upload, pageCount, facts } = job;
  const isShort =
    pageCount !== undefined && pageCount <= config.inlineMaxPages && upload.sizeBytes <= config.inlineMaxBytes;
  const isInline = !call.wantsAsync && isShort;
  const jobId = createId('job', store.clock.now());
  const documentId = createId('doc', store.clock.now());
  let ended = Promise.resolve(false);
  let isNeeded = false;
  const { sizeBytes, sha256 } = upload;
  const bytes = await upload.blob.keep({ id: documentId, sizeBytes, sha256 });
  try {
    // The wait starts before the job can end.
    if (isInline) ended = jobs.waitFor(jobId, job.inlineMs);
    const accepted = await queue.accept({
      requestId: call.requestId,
      jobId,
      organisationId: call.caller.organisationId,
      keyId: call.caller.keyId,
      keyLastFour: call.caller.keyLastFour,
      function: call.target.id,
      args: vault.seal(job.args, call.target.argsSchema, jobId),
      cacheKey: job.cacheKey,
      engine: job.engine,
      fileName: upload.fileName,
      document: {
        id: documentId,
        sha256,
        sizeBytes,
        mimeType: job.mimeType,
        pageCount,
        bytes,
      },
      isUrgent: isInline,
      effort: job.effort,
      idempotency: job.use,
      allowance: { period: call.quota.period, limit: call.quota.limit },
      nowMs: call.startedAtMs,
      alsoWrite: call.alsoWrite,
    });
    if (accepted.kind === 'exhausted') throw quotaExceeded(call.quota, call.caller.plan, store.clock.now());
    if (accepted.kind !== 'accepted') return answerEarlier(accepted, facts);
    isNeeded = true;
  } catch (error) {
    // The job may be on disk all the same. A later sweep removes the document if no job has it.
    isNeeded = error instanceof StoreFailedError || error instanceof DatabaseUnavailableError;
    throw error;
  } finally {
    if (!isNeeded) await blobs.remove(documentId).catch(() => {});
  }
  jobs.wake();
  return { kind: 'job', jobId, isInline, ended, facts };
}

function answerEarlier(earlier: EarlierUse, facts: UploadFacts): Intake {
  return { kind: 'replay', requestId: replayedBy(earlier), facts };
}

/** Returns the request whose answer is repeated. @throws ServiceError IDEMPOTENCY_CONFLICT */
export function replayedBy(earlier: EarlierUse): string {
  if (earlier.kind === 'replay') return earlier.requestId;
  throw new ServiceError(
    'IDEMPOTENCY_CONFLICT',
    'The Idempotency-Key was used for another document, function or arguments: use a new key for a new call',
  );
}
