import type { ClaimedJob, Queue } from '../../store/queue.js';
import type { Changes } from './changes.js';

/** Returns the queue, whose changes are passed on to those who look at the organisation's pages. */
export function noteQueueChanges(queue: Queue, { note }: Pick<Changes, 'note'>): Queue {
  /** Organisations of the jobs that this process has claimed: the progress of a job does not name its own. */
  const claimed = new Map<string, string>();

  async function noteEnd<Result>({ id, organisationId }: ClaimedJob, end: Promise<Result>): Promise<Result> {
    const result = await end;
    claimed.delete(id);
    note(organisationId);
    return result;
  }

  return {
    ...queue,
    accept: async (acceptance) => {
      const accepted = await queue.accept(acceptance);
      note(acceptance.organisationId);
      return accepted;
    },
    claim: async (...options) => {
      const jobs = await queue.claim(...options);
      for (const { id, organisationId } of jobs) {
        claimed.set(id, organisationId);
        note(organisationId);
      }
      return jobs;
    },
    beat: async (beats, leaseMs) => {
      const lost = await queue.beat(beats, leaseMs);
      for (const organisationId of new Set(beats.map(({ jobId }) => claimed.get(jobId))))
        if (organisationId !== undefined) note(organisationId);
      return lost;
    },
    complete: (job, ...rest) => noteEnd(job, queue.complete(job, ...rest)),
    fail: (job, ...rest) => noteEnd(job, queue.fail(job, ...rest)),
    release: (job, ...rest) => noteEnd(job, queue.release(job, ...rest)),
    postpone: (job, ...rest) => noteEnd(job, queue.postpone(job, ...rest)),
    noteDiscardedRun: (job, ...rest) => noteEnd(job, queue.noteDiscardedRun(job, ...rest)),
    remove: async (request) => {
      const removal = await queue.remove(request);
      if ('view' in removal) note(removal.view.organisationId);
      return removal;
    },
  };
}
