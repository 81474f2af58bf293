import type { ClaimedJob } from '../../store/queue.js';
import type { Outcome } from '../documents/protocol.js';

/** Returns the log's facts of one run of a job. */
export function describeRun(job: ClaimedJob, outcome: Outcome): Record<string, unknown> {
  return {
    jobId: job.id,
    requestId: job.requestId,
    function: job.function,
    attempts: job.attempts,
    outcome: outcome.type,
    ...causeOf(outcome),
  };
}

/** Details for the log: the stack of a fault names our files and lines, the reason of a refusal is for the caller. */
function causeOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.type === 'died') return { cause: outcome.cause };
  if (outcome.type === 'refused') return { reason: outcome.reason };
  if (outcome.type === 'unavailable') return { reason: outcome.message };
  return outcome.type === 'fault' ? { fault: outcome.message } : {};
}
