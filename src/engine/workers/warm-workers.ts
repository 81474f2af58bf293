import { Worker } from 'node:worker_threads';

/** Idle threads go after this: they stay warm for the next document, not for ever. */
const IDLE_WORKER_MS = 30_000;
const WORKER_HEAP_MB = 512;
/** For a thread's compiled code, of which it has a few MB. Node 24 and later make half a GB writable for it otherwise, which a limit on private memory counts. */
export const THREAD_CODE_MB = 64;

/** A thread with what its owner notes about it. */
export interface WarmWorker {
  thread: Worker;
  /** Pieces of work that it has done. */
  done: number;
  ended: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** Threads of one program, which outlive the document that they were started for. */
export interface WarmWorkers {
  /** One that waits, or a new one. */
  take(): WarmWorker;
  /** For the next document. A thread that waits does not keep the process alive. */
  giveBack(thread: WarmWorker): void;
  /** Ends those that wait. */
  closeIdle(): Promise<void>;
}

const all: WarmWorkers[] = [];

/** Ends all threads that wait, of every program. */
export async function closeIdleWorkers(): Promise<void> {
  await Promise.all(all.map((workers) => workers.closeIdle()));
}

export function createWarmWorkers(program: URL): WarmWorkers {
  const idle: WarmWorker[] = [];
  const dropIdle = (worker: WarmWorker) => {
    clearTimeout(worker.idleTimer);
    const index = idle.indexOf(worker);
    if (index !== -1) idle.splice(index, 1);
  };
  const workers: WarmWorkers = {
    take() {
      const warm = idle.pop();
      if (warm !== undefined) {
        clearTimeout(warm.idleTimer);
        warm.thread.ref();
        return warm;
      }
      const thread = new Worker(program, {
        resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, codeRangeSizeMb: THREAD_CODE_MB },
      });
      const worker: WarmWorker = { thread, done: 0, ended: false };
      // An 'error' nobody listens to would end the process.
      const end = () => {
        worker.ended = true;
        dropIdle(worker);
      };
      thread.on('error', end).on('exit', end);
      return worker;
    },
    giveBack(worker) {
      if (worker.ended) return;
      worker.thread.unref();
      worker.idleTimer = setTimeout(() => {
        dropIdle(worker);
        void worker.thread.terminate();
      }, IDLE_WORKER_MS);
      worker.idleTimer.unref();
      idle.push(worker);
    },
    async closeIdle() {
      await Promise.all(
        idle.splice(0).map(({ thread, idleTimer }) => {
          clearTimeout(idleTimer);
          return thread.terminate();
        }),
      );
    },
  };
  all.push(workers);
  return workers;
}
