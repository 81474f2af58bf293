import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { countOf } from '../../../contract/count-of.js';
import { withAdministration } from '../../../service/administration/open.js';
import { getLoggedRequest } from '../../../service/administration/request-log.js';

export interface GetOptions extends ServiceLocation {
  requestId: string;
}

/** Prints one call, refused or not, by its requestId. @throws OcrError NOT_FOUND */
export async function get({ env, output }: Context, options: GetOptions): Promise<void> {
  const entry = await withAdministration(options, env, async ({ store }) => getLoggedRequest(store, options.requestId));
  if (output.isJson) return await output.json(entry);
  const { keyId, keyLastFour, error } = entry;
  const call = entry.method === null ? null : `${entry.method} ${entry.path ?? ''}`.trim();
  await output.properties([
    ['Request', entry.requestId],
    ['Time', entry.createdAt],
    ['Ended', entry.finishedAt],
    ['Organisation', entry.orgId],
    // The log has no more about a call that was refused for its key.
    ['Key', keyId === null ? keyLastFour && `…${keyLastFour}` : `${keyId} (…${keyLastFour})`],
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
    ['Replay of', entry.replayOf],
  ]);
}
