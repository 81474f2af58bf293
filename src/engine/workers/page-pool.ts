import { DocumentError, type DocumentErrorReason } from '../model/document-error.js';
import { type PageAnswer, type PageRequest, sharedNowMs } from './serve-pages.js';
import type { WarmWorker, WarmWorkers } from './warm-workers.js';

/** Time limit of a page. It is shorter than that of a document without progress (60 s), which ends the whole document. */
export const PAGE_TIMEOUT_MS = 45_000;
/** Pages after which a worker is replaced: the memory of WebAssembly grows with its largest page and never shrinks. */
const MAX_PAGES_OF_WORKER = 100;

export interface PagePool<Task, Result> {
  /**
   * Reads a page as soon as a worker is free. Rejects with an Error with a message for users when it takes too long.
   * `onMove` is called when a part of a long page is done: the next part has the whole time again.
   */
  read(task: Task, onMove?: () => void): Promise<Result>;
  /** Pages that the time limit ended or cut short: on a machine with less to do they may be read whole. */
  readonly timeoutCount: number;
  /** Ends the running pages and gives the workers back; called once at the end of a run. */
  close(): Promise<void>;
}

/** The kind of work that a pool does. */
export interface PageWork {
  /** Threads of a program that calls `servePages`. */
  workers: WarmWorkers;
  /** Name of the work in messages for users: "recognition". */
  name: string;
}

/** A result that the time limit may cut short. */
interface PageResult {
  /** Warning for users about a page that was read. */
  warning?: string;
}

interface Waiting<Task, Result> {
  task: Task;
  onMove?(): void;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Creates the share of a run in the page workers: at most `parallelism`, started when pages come. */
export function createPagePool<Task, Result extends PageResult>(
  { workers, name }: PageWork,
  parallelism: number,
  pageTimeoutMs: number,
): PagePool<Task, Result> {
  const waiting: Waiting<Task, Result>[] = [];
  const busy = new Set<WarmWorker>();
  const owned = new Set<WarmWorker>();
  let closed = false;
  let timeoutCount = 0;
  const onTimeout = () => void timeoutCount++;

  const dispatch = (): void => {
    while (!closed && waiting.length > 0 && busy.size < Math.max(1, parallelism)) {
      const next = waiting.shift();
      if (next === undefined) return;
      const worker = [...owned].find((candidate) => !busy.has(candidate)) ?? workers.take();
      owned.add(worker);
      busy.add(worker);
      void runPage(worker, next, { name, timeoutMs: pageTimeoutMs, onTimeout }).then((reusable) => {
        busy.delete(worker);
        if (!reusable) {
          owned.delete(worker);
          void worker.thread.terminate();
        }
        dispatch();
      });
    }
  };

  return {
    get timeoutCount() {
      return timeoutCount;
    },
    read: (task, onMove) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, ...(onMove && { onMove }), resolve, reject });
        dispatch();
      }),
    close: async () => {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the run ended'));
      await Promise.all([...busy].map(({ thread }) => thread.terminate()));
      for (const worker of owned) if (!busy.has(worker)) release(worker, workers);
    },
  };
}

function release(worker: WarmWorker, workers: WarmWorkers): void {
  if (!worker.ended) worker.thread.postMessage({ kind: 'release' } satisfies PageRequest<never>);
  workers.giveBack(worker);
}

/** Runs a page and settles its promise; resolves to true when the worker can take another page. */
function runPage<Task, Result extends PageResult>(
  worker: WarmWorker,
  { task, onMove, resolve, reject }: Waiting<Task, Result>,
  { name, timeoutMs, onTimeout }: { name: string; timeoutMs: number; onTimeout(): void },
): Promise<boolean> {
  return new Promise((settle) => {
    const { thread } = worker;
    const finish = (reusable: boolean) => {
      clearTimeout(timer);
      // removeAllListeners() would remove the Worker's own listeners as well, and break it.
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit);
      settle(reusable);
    };
    let interim: Result | undefined;
    const settleWithInterim = (error: Error) => {
      if (interim === undefined) return reject(error);
      const warnings = [interim.warning, `${error.message}: it may be read less well than on a quicker machine`];
      resolve({ ...interim, warning: warnings.filter(Boolean).join('; ') });
    };
    const fail = (message: string) => {
      settleWithInterim(new Error(message));
      finish(false);
    };
    const onAnswer = (answer: PageAnswer<Result>) => {
      if (answer.kind === 'interim') {
        interim = answer.result;
        if (!answer.movesOn) return;
        timer.refresh();
        onMove?.();
        return;
      }
      worker.done++;
      finish(worker.done < MAX_PAGES_OF_WORKER);
      if (answer.kind === 'done') resolve(answer.result);
      else settleWithInterim(toError(answer.message, answer.reason));
    };
    const onError = (error: Error) => fail(`${name} failed: ${error.message}`);
    const onExit = () => fail(`${name} failed: its thread ended`);
    const timer = setTimeout(() => {
      onTimeout();
      fail(`${name} took longer than ${timeoutMs / 1000} s`);
    }, timeoutMs);
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit);
    thread.postMessage({ kind: 'page', task, endsAtMs: sharedNowMs() + timeoutMs } satisfies PageRequest<Task>);
  });
}

function toError(message: string, reason: DocumentErrorReason | undefined): Error {
  return reason === undefined ? new Error(message) : new DocumentError(reason, message);
}
