import { parentPort } from 'node:worker_threads';
import { DocumentError, type DocumentErrorReason } from '../model/document-error.js';

/** A request to a page worker. The pool ends the thread at `endsAtMs`, in time of `sharedNowMs()`. */
export type PageRequest<Task> = { kind: 'page'; task: Task; endsAtMs: number } | { kind: 'release' };

/** Time of the system's steady clock, which is the same in all threads; `performance.now()` begins anew in each of them. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** An answer of a page worker. Interim results come first: the last one counts if the time limit ends the page. */
export type PageAnswer<Result> =
  | { kind: 'interim'; result: Result; movesOn: boolean }
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; message: string; reason: DocumentErrorReason | undefined };

export type OnInterimPage<Result> = (result: Result, movesOn?: boolean) => void;

export interface PageServer<Task, Result> {
  /** Reads a page by `deadline` (in time of `performance.now()`). `onInterim` gets the result so far; with `movesOn`, the page has its whole time again. */
  read(task: Task, deadline: number, onInterim: OnInterimPage<Result>): Promise<Result>;
  /** Closes the document that is open in this thread, and prepares for the next one. */
  release(): void;
}

/** Time between the deadline of a page and the moment at which the pool ends this thread: processes that read for it end before. */
const TIME_TO_END_MS = 500;

/** Runs a page worker: one page at a time. The pool sends the next page after the answer. */
export function servePages<Task, Result>({ read, release }: PageServer<Task, Result>): void {
  // The WebAssembly modules print diagnostics, and output of a worker keeps the process alive, even after unref().
  for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => undefined;
  const send = (answer: PageAnswer<Result>) => parentPort?.postMessage(answer);

  parentPort?.on('message', async (request: PageRequest<Task>) => {
    if (request.kind === 'release') return release();
    const deadline = performance.now() + request.endsAtMs - sharedNowMs() - TIME_TO_END_MS;
    try {
      const keep: OnInterimPage<Result> = (result, movesOn = false) => send({ kind: 'interim', result, movesOn });
      send({ kind: 'done', result: await read(request.task, deadline, keep) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      send({ kind: 'failed', message, reason: error instanceof DocumentError ? error.reason : undefined });
    }
  });
}
