import { DocumentError, type DocumentErrorReason } from '../model/document-error.js';
import type { PageAnswer, PageRequest } from './serve-pages.js';
import type { WarmWorker, WarmWorkers } from './warm-workers.js';

/** Shorter than the time that a document may go without progress (60 s), which would end all of it. */
export const PAGE_TIMEOUT_MS = 45_000;
/** Pages after which a worker is replaced: WebAssembly's memory grows to its largest page and never shrinks. */
const MOST_PAGES_OF_WORKER = 100;

export interface PagePool<Task, Result> {
  /**
   * Reads a page as soon as a worker is free. Rejects with an Error in words for people when it cannot be done in time.
   * `onMove`: a part of a long page is done, and the next one has as much time.
   */
  read(task: Task, onMove?: () => void): Promise<Result>;
  /** Ends what still runs and gives the workers back: called once at the end of a run. */
  close(): Promise<void>;
}

/** What is done to pages. */
export interface PageWork {
  /** Threads whose program calls `servePages`. */
  workers: WarmWorkers;
  /** For people: "recognition". */
  name: string;
}

/** What a page's time may cut short. */
interface PageResult {
  /** What was wrong with the page, for people, though it was read. */
  warning?: string;
}

interface Waiting<Task, Result> {
  task: Task;
  onMove?(): void;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** A run's share of the page workers: at most `parallelism`, started when pages come. */
export function createPagePool<Task, Result extends PageResult>(
  { workers, name }: PageWork,
  parallelism: number,
  pageTimeoutMs: number,
): PagePool<Task, Result> {
  const waiting: Waiting<Task, Result>[] = [];
  const busy = new Set<WarmWorker>();
  const mine = new Set<WarmWorker>();
  let closed = false;

  const dispatch = (): void => {
    while (!closed && waiting.length > 0 && busy.size < Math.max(1, parallelism)) {
      const next = waiting.shift();
      if (next === undefined) return;
      const worker = [...mine].find((candidate) => !busy.has(candidate)) ?? workers.take();
      mine.add(worker);
      busy.add(worker);
      void runPage(worker, next, { name, timeoutMs: pageTimeoutMs }).then((reusable) => {
        busy.delete(worker);
        if (!reusable) {
          mine.delete(worker);
          void worker.thread.terminate();
        }
        dispatch();
      });
    }
  };

  return {
    read: (task, onMove) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, ...(onMove && { onMove }), resolve, reject });
        dispatch();
      }),
    close: async () => {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the run ended'));
      await Promise.all([...busy].map(({ thread }) => thread.terminate()));
      for (const worker of mine) if (!busy.has(worker)) release(worker, workers);
    },
  };
}

function release(worker: WarmWorker, workers: WarmWorkers): void {
  if (!worker.ended) worker.thread.postMessage({ kind: 'release' } satisfies PageRequest<never>);
  workers.giveBack(worker);
}

/** Settles the page; true when the worker can take another one. */
function runPage<Task, Result extends PageResult>(
  worker: WarmWorker,
  { task, onMove, resolve, reject }: Waiting<Task, Result>,
  { name, timeoutMs }: { name: string; timeoutMs: number },
): Promise<boolean> {
  return new Promise((settle) => {
    const { thread } = worker;
    const finish = (reusable: boolean) => {
      clearTimeout(timer);
      // One by one: a Worker does not survive removeAllListeners(), which takes its own away too.
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit);
      settle(reusable);
    };
    let interim: Result | undefined;
    const giveUp = (error: Error) => {
      if (interim === undefined) return reject(error);
      const warnings = [interim.warning, `${error.message}: it may be read less well than on a quicker machine`];
      resolve({ ...interim, warning: warnings.filter(Boolean).join('; ') });
    };
    const fail = (message: string) => {
      giveUp(new Error(message));
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
      finish(worker.done < MOST_PAGES_OF_WORKER);
      if (answer.kind === 'done') resolve(answer.result);
      else giveUp(toError(answer.message, answer.reason));
    };
    const onError = (error: Error) => fail(`${name} failed: ${error.message}`);
    const onExit = () => fail(`${name} failed: its thread ended`);
    const timer = setTimeout(() => fail(`${name} took longer than ${timeoutMs / 1000} s`), timeoutMs);
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit);
    thread.postMessage({ kind: 'page', task, timeoutMs } satisfies PageRequest<Task>);
  });
}

function toError(message: string, reason: DocumentErrorReason | undefined): Error {
  return reason === undefined ? new Error(message) : new DocumentError(reason, message);
}
