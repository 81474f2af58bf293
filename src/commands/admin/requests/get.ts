import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { countOf } from '../../../contract/count-of.js';
import { PORTAL_KEY, renderKeyEnd } from '../../../contract/portal.js';
import { nameWithId } from '../../../io/output/name-with-id.js';
import type { Property } from '../../../io/output/output.js';
import { withAdministration } from '../../../service/administration/open.js';
import { getLoggedRequest, type RequestDetails } from '../../../service/administration/request-log.js';
import type { DeliveryView } from '../../../service/administration/webhook-deliveries.js';

export interface GetOptions extends ServiceLocation {
  requestId: string;
}

/** Prints one call, refused or not, by its requestId, with its job and deliveries. @throws OcrError NOT_FOUND, AMBIGUOUS_ID */
export async function get({ env, output }: Context, options: GetOptions): Promise<void> {
  const entry = await withAdministration(options, env, async ({ store }) => getLoggedRequest(store, options.requestId));
  if (output.isJson) return await output.json(entry);
  const { keyId, keyLastFour, error, job } = entry;
  const call = entry.method === null ? null : `${entry.method} ${entry.path ?? ''}`.trim();
  await output.properties([
    ['Request', entry.requestId],
    ['Time', entry.createdAt],
    ['Ended', entry.finishedAt],
    ['Organisation', { line: nameWithId(entry.orgName, entry.orgId) }],
    // The log has no more about a call with a key that was unknown, or ended and tried very often.
    ['Key', { line: keyId === null ? keyLastFour && renderKeyEnd(keyLastFour) : nameKey(entry) }],
    ['Call', call],
    ['Function', entry.function],
    ['HTTP status', entry.httpStatus],
    ['Error', error?.code],
    ['Message', { prose: error?.message }],
    ['Retryable', error === null ? null : error.retryable ? 'yes' : 'no'],
    ['File', entry.fileName],
    ['Size', entry.sizeBytes === null ? null : countOf(entry.sizeBytes, 'byte')],
    ['SHA-256', entry.sha256],
    ['Type', entry.mimeType],
    ['Pages', entry.pageCount],
    ['Provider', entry.provider],
    ['Cached', entry.cached ? 'yes' : 'no'],
    ['Processing', entry.durationMs === null ? null : `${entry.durationMs} ms`],
    ['Answered after', entry.elapsedMs === null ? null : `${entry.elapsedMs} ms`],
    ['Job', entry.jobId],
    ['Job status', entry.jobStatus],
    ['Job began', job?.startedAt],
    ['Job ended', job?.finishedAt],
    ['Job pages', job === null || job.pageCount === null ? null : `${job.pagesDone ?? 0} of ${job.pageCount}`],
    ['Job attempts', job?.attempts],
    ['Job error', job?.error?.code],
    ['Result', entry.jobDeletedAt === undefined ? (job?.hasResult ? 'kept' : null) : `deleted ${entry.jobDeletedAt}`],
    ['Replay of', entry.replayOf],
    ...entry.deliveries.flatMap(rowsOfDelivery),
  ]);
}

function nameKey({ keyName, keyId, keyLastFour }: RequestDetails): string | null {
  return keyId === PORTAL_KEY ? PORTAL_KEY : nameWithId(keyName, `${keyId}, …${keyLastFour}`);
}

function rowsOfDelivery({ deliveryId, event, status, endpointId, nextAttemptAt, attempts }: DeliveryView): Property[] {
  const next = nextAttemptAt === null ? '' : `, next attempt ${nextAttemptAt}`;
  return [
    ['Delivery', `${deliveryId}: ${event} to ${endpointId}, ${status}${next}`],
    ...attempts.map(({ number, startedAt, latencyMs, status: answer, error }): Property => {
      return [`Attempt ${number}`, { prose: `${startedAt}, ${latencyMs} ms: ${answer ?? error ?? 'no answer'}` }];
    }),
  ];
}
