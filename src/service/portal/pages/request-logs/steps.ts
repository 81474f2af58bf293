import type { JobRow } from '../../../../store/jobs.js';
import type { RequestRow } from '../../../../store/requests.js';

/** A step of a call; one without a time has not been reached. */
export interface Step {
  name: string;
  atMs: number | undefined;
  /** Time since the step before. */
  tookMs: number | undefined;
  isBad: boolean;
}

/** Returns the steps of a call: received, queued, started, finished, answered, in the order of their times. */
export function stepsOf(request: RequestRow, job: JobRow | undefined): Step[] {
  const { createdAtMs, durationMs, httpStatus } = request;
  const failed = job?.status === 'failed';
  const jobSteps: Array<[name: string, atMs: number | null, isBad: boolean]> =
    job === undefined || job.requestId !== request.requestId
      ? []
      : [
          ['Queued', job.createdAtMs, false],
          ['Started', job.startedAtMs, false],
          [failed ? 'Failed' : 'Finished', job.finishedAtMs, failed],
        ];
  const answered = durationMs === null ? null : createdAtMs + durationMs;
  const steps: typeof jobSteps = [
    ['Received', createdAtMs, false],
    ...jobSteps,
    ['Answered', answered, httpStatus !== null && httpStatus >= 400],
  ];
  // A job that was answered with 202 goes on after its answer.
  const sorted = steps.sort(([, a], [, b]) => (a ?? Infinity) - (b ?? Infinity));
  return sorted.map(([name, atMs, isBad], index) => {
    const beforeMs = sorted[index - 1]?.[1];
    const tookMs = atMs === null || beforeMs === null || beforeMs === undefined ? undefined : atMs - beforeMs;
    return { name, atMs: atMs ?? undefined, tookMs, isBad };
  });
}
