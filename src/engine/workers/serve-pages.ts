import { parentPort } from 'node:worker_threads';
import { DocumentError, type DocumentErrorReason } from '../model/document-error.js';

/** What a page worker is asked. */
export type PageRequest<Task> = { kind: 'page'; task: Task; timeoutMs: number } | { kind: 'release' };

/** What it answers for a page; before that, what stands if the page's time is over before it has the answer. */
export type PageAnswer<Result> =
  | { kind: 'interim'; result: Result; movesOn: boolean }
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; message: string; reason: DocumentErrorReason | undefined };

export type OnInterimPage<Result> = (result: Result, movesOn?: boolean) => void;

export interface PageServer<Task, Result> {
  /** By `deadline`, of `performance.now()`. `onInterim` is given what there is so far; with `movesOn` the page has its whole time again. */
  read(task: Task, deadline: number, onInterim: OnInterimPage<Result>): Promise<Result>;
  /** Closes the document that is open in this thread, and prepares for the next one. */
  release(): void;
}

/** What was started for a page ends before the pool gives the page up, and with it this thread. */
const TIME_TO_END_MS = 500;

/** The program of a page worker: one page at a time, the pool sends the next one when this one is answered. */
export function servePages<Task, Result>({ read, release }: PageServer<Task, Result>): void {
  // What is built in prints diagnostics of its own; what a worker prints also keeps its process alive, unref() or not.
  for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => undefined;
  const send = (answer: PageAnswer<Result>) => parentPort?.postMessage(answer);

  parentPort?.on('message', async (request: PageRequest<Task>) => {
    if (request.kind === 'release') return release();
    const deadline = performance.now() + request.timeoutMs - TIME_TO_END_MS;
    try {
      const keep: OnInterimPage<Result> = (result, movesOn = false) => send({ kind: 'interim', result, movesOn });
      send({ kind: 'done', result: await read(request.task, deadline, keep) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      send({ kind: 'failed', message, reason: error instanceof DocumentError ? error.reason : undefined });
    }
  });
}
