import type { ApiClient } from '../../api/client.js';
import type { Context } from '../../context.js';
import type { DocumentState } from '../../contract/document-state.js';
import type { Completed, Outcome } from '../../contract/outcome.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { settle } from '../../submission-lifecycle/note-state.js';

export interface FollowedDocument {
  api: ApiClient;
  record: SubmissionRecord | undefined;
  outcome: Outcome;
  retryAfterMs: number | undefined;
  isJoined: boolean;
  waitTimeoutMs: number;
  onState: (state: DocumentState) => void;
}

/** Follows a document to its result. @throws OcrError when it failed, or is still running at the end of the wait */
export async function followToEnd(context: Context, document: FollowedDocument): Promise<Completed> {
  const { api, record, retryAfterMs, isJoined, waitTimeoutMs, onState } = document;
  const { signal } = context;
  let { outcome } = document;
  if (outcome.state === 'completed') return outcome;
  const ledger = await context.ledger();
  if (outcome.state === 'pending') {
    const { follow, stillRunningError } = await import('../../submission-lifecycle/follow.js');
    outcome = await follow(api, ledger, {
      pending: outcome,
      record,
      waitTimeoutMs,
      shared: { latestMs: Number.NEGATIVE_INFINITY },
      retryAfterMs,
      pollsAtOnce: isJoined,
      signal,
      onState,
    });
    if (outcome.state === 'pending') {
      const { findServiceFlags } = await import('../../settings/find-service-flags.js');
      const flags = record === undefined ? context.flags : findServiceFlags(record, await context.settings());
      throw stillRunningError(outcome, { waitTimeoutMs, signal, flags });
    }
  }
  if (outcome.state === 'completed') return outcome;
  if (record !== undefined && record.finishedAt === undefined) await settle(ledger, record, outcome);
  throw outcome.error;
}
