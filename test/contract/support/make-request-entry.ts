import { createId } from '../../../dist/contract/identifiers.js';
import type { RequestEntry } from '../../../dist/store/requests.js';

/** Makes a line of the request log: an answered call of an organisation. */
export function makeRequestEntry(
  organisationId: string,
  createdAtMs: number,
  more: Partial<RequestEntry> = {},
): RequestEntry & { organisationId: string } {
  return {
    id: createId('req', createdAtMs),
    method: 'POST',
    path: '/v1/ocr/TEXT_EXTRACTION',
    keyId: 'key_1',
    keyLastFour: 'abcd',
    function: 'TEXT_EXTRACTION',
    fileName: undefined,
    sizeBytes: 1,
    sha256: 'ab',
    mimeType: 'application/pdf',
    pageCount: 1,
    jobId: undefined,
    isCached: false,
    replayOf: undefined,
    status: 200,
    errorCode: undefined,
    errorMessage: undefined,
    provider: 'test',
    processingMs: 1,
    createdAtMs,
    durationMs: 1,
    ...more,
    organisationId,
  };
}
