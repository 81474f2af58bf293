import type { ClaimedJob, Queue } from '../../store/queue.js';
import type { Conclusion } from './decide-conclusion.js';

/**
 * Writes the next state of a job; false when its lease was lost, and then nothing is written. A result of another engine than the
 * job was accepted for is not kept for other calls.
 */
export function writeConclusion(
  queue: Pick<Queue, 'release' | 'postpone' | 'complete' | 'fail'>,
  job: ClaimedJob,
  conclusion: Conclusion,
  { durationMs, engine }: { durationMs: number; engine: string },
): Promise<boolean> {
  switch (conclusion.kind) {
    case 'discard':
      return Promise.resolve(false);
    case 'release':
      return queue.release(job, conclusion.reason, { durationMs });
    case 'postpone':
      return queue.postpone(job, conclusion.effort, { durationMs });
    case 'complete':
      return queue.complete(
        job,
        { ...conclusion.result, durationMs },
        engine === job.engine && !conclusion.ranOutOfTime,
      );
    case 'fail':
      return queue.fail(job, conclusion.failure, { durationMs, isBilled: conclusion.isBilled });
  }
}
