import { Worker } from 'node:worker_threads';
import type { PageTask, RecognisedPage, WorkerAnswer, WorkerRequest } from './page-task.js';

/** Pages after which a worker is replaced: a recogniser's memory grows to its largest page and never shrinks. */
const MOST_PAGES_OF_WORKER = 100;
/** Idle workers go after this: they stay warm for the next document, not for ever. */
const IDLE_WORKER_MS = 30_000;
const WORKER_HEAP_MB = 512;

export interface PagePool {
  /** Recognises a page as soon as a worker is free. Rejects with an Error in words for people when it cannot be done in time. */
  recognise(task: PageTask): Promise<RecognisedPage>;
  /** Ends what still runs and gives the workers back: called once at the end of a run. */
  close(): Promise<void>;
}

interface PageWorker {
  thread: Worker;
  pages: number;
  ended: boolean;
  idleTimer?: NodeJS.Timeout;
}

interface Waiting {
  task: PageTask;
  resolve(page: RecognisedPage): void;
  reject(error: Error): void;
}

/** Warm workers that no run uses. They do not keep the process alive. */
const idle: PageWorker[] = [];

/** A run's share of the page workers: at most `parallelism`, started when pages come. */
export function createPagePool(parallelism: number, pageTimeoutMs: number): PagePool {
  const waiting: Waiting[] = [];
  const busy = new Map<PageWorker, Waiting>();
  const mine = new Set<PageWorker>();
  let closed = false;

  const dispatch = (): void => {
    while (!closed && waiting.length > 0 && busy.size < Math.max(1, parallelism)) {
      const next = waiting.shift();
      if (next === undefined) return;
      const worker = [...mine].find((candidate) => !busy.has(candidate)) ?? takeWorker();
      mine.add(worker);
      busy.set(worker, next);
      void runPage(worker, next, pageTimeoutMs).then((reusable) => {
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
    recognise: (task) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, resolve, reject });
        dispatch();
      }),
    close: async () => {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the run ended'));
      await Promise.all([...busy.keys()].map(({ thread }) => thread.terminate()));
      for (const worker of mine) if (!busy.has(worker)) giveBack(worker);
    },
  };
}

/** Ends the warm workers at once. */
export async function closeIdleWorkers(): Promise<void> {
  await Promise.all(
    idle.splice(0).map(({ thread, idleTimer }) => {
      clearTimeout(idleTimer);
      return thread.terminate();
    }),
  );
}

function takeWorker(): PageWorker {
  const warm = idle.pop();
  if (warm !== undefined) {
    clearTimeout(warm.idleTimer);
    warm.thread.ref();
    return warm;
  }
  const thread = new Worker(new URL('./page-worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
  });
  const worker: PageWorker = { thread, pages: 0, ended: false };
  // An 'error' nobody listens to would end the process.
  const end = () => {
    worker.ended = true;
    dropIdle(worker);
  };
  thread.on('error', end).on('exit', end);
  return worker;
}

function giveBack(worker: PageWorker): void {
  if (worker.ended) return;
  worker.thread.postMessage({ kind: 'release' } satisfies WorkerRequest);
  worker.thread.unref();
  worker.idleTimer = setTimeout(() => {
    dropIdle(worker);
    void worker.thread.terminate();
  }, IDLE_WORKER_MS);
  worker.idleTimer.unref();
  idle.push(worker);
}

function dropIdle(worker: PageWorker): void {
  clearTimeout(worker.idleTimer);
  const index = idle.indexOf(worker);
  if (index !== -1) idle.splice(index, 1);
}

/** Settles the page; true when the worker can take another one. */
function runPage(worker: PageWorker, { task, resolve, reject }: Waiting, timeoutMs: number): Promise<boolean> {
  return new Promise((settle) => {
    const { thread } = worker;
    const finish = (reusable: boolean) => {
      clearTimeout(timer);
      // One by one: a Worker does not survive removeAllListeners(), which takes its own away too.
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit);
      settle(reusable);
    };
    const fail = (message: string) => {
      reject(new Error(message));
      finish(false);
    };
    const onAnswer = (answer: WorkerAnswer) => {
      worker.pages++;
      finish(worker.pages < MOST_PAGES_OF_WORKER);
      if (answer.ok) resolve(answer.page);
      else reject(new Error(answer.message));
    };
    const onError = (error: Error) => fail(`recognition failed: ${error.message}`);
    const onExit = () => fail('recognition failed: its thread ended');
    const timer = setTimeout(() => fail(`recognition took longer than ${timeoutMs / 1000} s`), timeoutMs);
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit);
    thread.postMessage({ kind: 'recognise', task, timeoutMs } satisfies WorkerRequest);
  });
}
