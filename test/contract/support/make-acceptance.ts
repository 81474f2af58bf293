import { createId } from '../../../dist/contract/identifiers.js';
import { LANES } from '../../../dist/store/lanes.js';
import type { Acceptance } from '../../../dist/store/queue.js';

/** Makes an accepted document of an organisation without a limit. */
export function makeAcceptance(organisationId: string, more: Partial<Acceptance> = {}): Acceptance {
  return {
    requestId: createId('req'),
    jobId: createId('job'),
    organisationId,
    keyId: 'key_1',
    keyLastFour: 'abcd',
    function: 'TEXT_EXTRACTION',
    args: '{"args":{"password":"sealed"}}',
    cacheKey: 'cache',
    engine: 'engine',
    fileName: 'a.pdf',
    document: { id: createId('doc'), sha256: 'ab', sizeBytes: 1, mimeType: 'application/pdf', pageCount: 3 },
    isUrgent: false,
    effort: { lane: LANES.long, delayMs: 0 },
    idempotency: undefined,
    allowance: { period: '2026-01', limit: undefined },
    nowMs: Date.now(),
    ...more,
  };
}
