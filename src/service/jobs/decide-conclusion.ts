import type { JobFailure, JobOutcome } from '../../store/queue.js';
import { explainRefusal } from '../documents/explain-refusal.js';
import type { Outcome } from '../documents/protocol.js';

/** The next state of a job after a run: queued again, completed, or failed. */
export type Conclusion =
  | { kind: 'release'; reason: 'worker-died' | 'service-stops' }
  | { kind: 'complete'; result: Omit<JobOutcome, 'durationMs'> }
  | { kind: 'fail'; failure: JobFailure };

export interface Attempts {
  /** Attempts so far, this one included. */
  count: number;
  max: number;
}

/**
 * Decides the next state of a job. A process that died while the service stops, and a machine without resources, say nothing
 * about the document: such an attempt does not count. Any other death counts, until the attempts are used up.
 */
export function decideConclusion(outcome: Outcome, attempts: Attempts, isStopping: boolean): Conclusion {
  switch (outcome.type) {
    case 'unavailable':
      return { kind: 'release', reason: 'service-stops' };
    case 'died':
      if (isStopping) return { kind: 'release', reason: 'service-stops' };
      if (attempts.count < attempts.max) return { kind: 'release', reason: 'worker-died' };
      return fail(`The document could not be read in ${attempts.count} attempts: ${outcome.message}`);
    case 'done': {
      const { body, provider, pageCount, confidence = null } = outcome;
      return { kind: 'complete', result: { body, provider, pageCount, confidence } };
    }
    case 'refused':
      return { kind: 'fail', failure: explainRefusal(outcome) };
    case 'rejected':
      return { kind: 'fail', failure: { code: outcome.code, message: outcome.message } };
    // `counted` is never the outcome of a run.
    case 'counted':
    case 'fault':
      return fail('The service failed to read the document; quote the requestId to support');
  }
}

function fail(message: string): Conclusion {
  return { kind: 'fail', failure: { code: 'INTERNAL', message } };
}
