import type { PageTask, RecognisedPage, WorkerAnswer, WorkerRequest } from './page-task.js';
import { createWarmWorkers, type WarmWorker } from './warm-workers.js';

/** Pages after which a worker is replaced: a recogniser's memory grows to its largest page and never shrinks. */
const MOST_PAGES_OF_WORKER = 100;

export interface PagePool {
  /** Recognises a page as soon as a worker is free. Rejects with an Error in words for people when it cannot be done in time. */
  recognise(task: PageTask): Promise<RecognisedPage>;
  /** Ends what still runs and gives the workers back: called once at the end of a run. */
  close(): Promise<void>;
}

interface Waiting {
  task: PageTask;
  resolve(page: RecognisedPage): void;
  reject(error: Error): void;
}

const workers = createWarmWorkers(new URL('./page-worker.js', import.meta.url));

/** A run's share of the page workers: at most `parallelism`, started when pages come. */
export function createPagePool(parallelism: number, pageTimeoutMs: number): PagePool {
  const waiting: Waiting[] = [];
  const busy = new Map<WarmWorker, Waiting>();
  const mine = new Set<WarmWorker>();
  let closed = false;

  const dispatch = (): void => {
    while (!closed && waiting.length > 0 && busy.size < Math.max(1, parallelism)) {
      const next = waiting.shift();
      if (next === undefined) return;
      const worker = [...mine].find((candidate) => !busy.has(candidate)) ?? workers.take();
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
      for (const worker of mine) if (!busy.has(worker)) release(worker);
    },
  };
}

function release(worker: WarmWorker): void {
  if (!worker.ended) worker.thread.postMessage({ kind: 'release' } satisfies WorkerRequest);
  workers.giveBack(worker);
}

/** Settles the page; true when the worker can take another one. */
function runPage(worker: WarmWorker, { task, resolve, reject }: Waiting, timeoutMs: number): Promise<boolean> {
  return new Promise((settle) => {
    const { thread } = worker;
    const finish = (reusable: boolean) => {
      clearTimeout(timer);
      // One by one: a Worker does not survive removeAllListeners(), which takes its own away too.
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit);
      settle(reusable);
    };
    let interim: RecognisedPage | undefined;
    const giveUp = (message: string) => {
      if (interim === undefined) return reject(new Error(message));
      const warnings = [interim.warning, `${message}: it may be read less well than on a quicker machine`];
      resolve({ ...interim, warning: warnings.filter(Boolean).join('; ') });
    };
    const fail = (message: string) => {
      giveUp(message);
      finish(false);
    };
    const onAnswer = (answer: WorkerAnswer) => {
      if (answer.kind === 'interim') {
        interim = answer.page;
        return;
      }
      worker.done++;
      finish(worker.done < MOST_PAGES_OF_WORKER);
      if (answer.kind === 'done') resolve(answer.page);
      else giveUp(answer.message);
    };
    const onError = (error: Error) => fail(`recognition failed: ${error.message}`);
    const onExit = () => fail('recognition failed: its thread ended');
    const timer = setTimeout(() => fail(`recognition took longer than ${timeoutMs / 1000} s`), timeoutMs);
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit);
    thread.postMessage({ kind: 'recognise', task, timeoutMs } satisfies WorkerRequest);
  });
}
