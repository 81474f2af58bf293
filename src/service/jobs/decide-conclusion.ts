import { type Effort, LANES } from '../../store/lanes.js';
import type { JobFailure, JobOutcome } from '../../store/queue.js';
import { explainRefusal } from '../documents/explain-refusal.js';
import type { Outcome } from '../documents/protocol.js';

/** The next state of a job after a run: queued again, completed, or failed; or that of a job that has ended without the run. */
export type Conclusion =
  | { kind: 'release'; reason: 'worker-died' | 'service-stops' }
  | { kind: 'postpone'; effort: Effort }
  /** A result that time cut short answers no other call. */
  | { kind: 'complete'; result: Omit<JobOutcome, 'durationMs'>; ranOutOfTime: boolean }
  | { kind: 'fail'; failure: JobFailure; isBilled: boolean }
  | { kind: 'discard' };

export interface Attempts {
  /** Attempts so far, this one included. */
  count: number;
  max: number;
}

type Death = Extract<Outcome, { type: 'died' }>;

/** Attempts of a document that runs out of time. A busy machine may be the cause of the first, which is tried again. */
const MAX_TIMEOUTS = 2;

/**
 * Decides the next state of a job. A process that died while the service stops, and a machine without resources, say nothing
 * about the document: such an attempt does not count. Any other death counts, until the attempts are used up. A document that
 * failed by itself is billed, because it took what a good one takes.
 */
export function decideConclusion(outcome: Outcome, attempts: Attempts, isStopping: boolean): Conclusion {
  switch (outcome.type) {
    case 'cancelled':
      return { kind: 'discard' };
    case 'postponed':
      return { kind: 'postpone', effort: outcome.effort };
    case 'unavailable':
      if (outcome.isHeavy === true) return { kind: 'postpone', effort: { lane: LANES.heavy, delayMs: 0 } };
      return { kind: 'release', reason: 'service-stops' };
    case 'died':
      if (isStopping) return { kind: 'release', reason: 'service-stops' };
      if (attempts.count < maxAttemptsOf(outcome.cause, attempts.max))
        return { kind: 'release', reason: 'worker-died' };
      return isOwnFault(outcome.cause)
        ? { kind: 'fail', failure: explainExcess(outcome), isBilled: true }
        : fail(`The document could not be read in ${attempts.count} attempts: ${outcome.message}`);
    case 'done': {
      const { body, provider, pageCount, confidence = null, ranOutOfTime = false } = outcome;
      return { kind: 'complete', result: { body, provider, pageCount, confidence }, ranOutOfTime };
    }
    case 'refused':
      if (outcome.reason === 'timeout' && attempts.count < maxAttemptsOf('timeout', attempts.max))
        return { kind: 'release', reason: 'worker-died' };
      return { kind: 'fail', failure: explainRefusal(outcome), isBilled: false };
    case 'rejected':
      return { kind: 'fail', failure: { code: outcome.code, message: outcome.message }, isBilled: false };
    // `counted` is never the outcome of a run.
    case 'counted':
    case 'fault':
      return fail('The service failed to read the document; quote the requestId to support');
  }
}

function fail(message: string): Conclusion {
  return { kind: 'fail', failure: { code: 'INTERNAL', message }, isBilled: false };
}

/** A lack of memory or of progress would come again. */
function maxAttemptsOf(cause: Death['cause'], max: number): number {
  if (!isOwnFault(cause)) return max;
  return cause === 'timeout' ? Math.min(MAX_TIMEOUTS, max) : 1;
}

/** False for deaths that may have another cause than the document: the system, or too little CPU time. */
function isOwnFault(cause: Death['cause']): boolean {
  return cause !== 'crash' && cause !== 'starved';
}

function explainExcess({ message }: Death): JobFailure {
  return { code: 'INVALID_DOCUMENT', message: `The document cannot be read: ${message}` };
}
