import type { Completed } from '../../contract/outcome.js';

type Json = Record<string, unknown>;

/** The fields of a job's body that a client needs, wherever a server of the contract puts them. */
export interface JobView {
  /** The server's own word; only `completed` and `failed` are terminal. */
  status: string;
  progress: { pagesDone: number; pageCount: number } | undefined;
  result: Json | undefined;
  meta: Json | undefined;
  error: { code: string; message: string; retryable: boolean } | undefined;
  requestId: string | undefined;
  function: string | undefined;
  /** The body, unchanged. */
  body: Json;
}

/** Reads the fields at the top, under `job` and under `data` (the contract does not say where they are); undefined without a status. */
export function readJob(body: Json): JobView | undefined {
  const levels = [body, body.job, body.data, record(body.data)?.job].flatMap((level): Json[] => {
    const found = record(level);
    return found === undefined ? [] : [found];
  });
  const find = <T>(name: string, read: (value: unknown) => T | undefined): T | undefined => {
    for (const level of levels) {
      const value = read(level[name]);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const status = find('status', text);
  if (status === undefined) return undefined;
  const nestedJob = levels.slice(1);
  return {
    status,
    progress: find('progress', readProgress),
    result: find('result', record) ?? resultAmong(nestedJob),
    meta: find('meta', record),
    error: find('error', readError),
    requestId: find('requestId', text),
    function: find('function', text),
    body,
  };
}

/** Gives a completed job the shape of a 200, plus `jobId`. */
export function toCompleted(job: JobView, known: { jobId: string; requestId?: string; function?: string }): Completed {
  const requestId = job.requestId ?? known.requestId;
  const name = job.function ?? known.function;
  return {
    state: 'completed',
    body: {
      ...(requestId === undefined ? {} : { requestId }),
      ...(name === undefined ? {} : { function: name }),
      result: job.result,
      ...(job.meta === undefined ? {} : { meta: job.meta }),
      jobId: known.jobId,
    },
  };
}

/** Finds a bare result under `data`: `{status, data: {text}}`. */
function resultAmong(levels: Json[]): Json | undefined {
  return levels.find((level) => typeof level.text === 'string');
}

function readProgress(value: unknown): JobView['progress'] {
  const { pagesDone, pageCount } = record(value) ?? {};
  return typeof pagesDone === 'number' && typeof pageCount === 'number' ? { pagesDone, pageCount } : undefined;
}

function readError(value: unknown): JobView['error'] {
  if (typeof value === 'string') return { code: 'JOB_FAILED', message: value, retryable: false };
  const error = record(value);
  if (error === undefined) return undefined;
  const code = text(error.code) ?? 'JOB_FAILED';
  return { code, message: text(error.message) ?? `The job failed with ${code}`, retryable: error.retryable === true };
}

function record(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
