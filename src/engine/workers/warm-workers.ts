import { Worker } from 'node:worker_threads';

/** Life of an idle thread: it stays warm for the next document, not for ever. */
const MAX_IDLE_MS = 30_000;
const WORKER_HEAP_MB = 512;
/** Memory for a thread's compiled code, which takes a few MB. Node 24 and later reserve half a GB by default, which counts towards a limit on private memory. */
export const THREAD_CODE_MB = 64;

/** A thread with the state that its owner keeps. */
export interface WarmWorker {
  thread: Worker;
  /** Number of tasks that it has done. */
  done: number;
  ended: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** Threads of one program that outlive the document that they were started for. */
export interface WarmWorkers {
  /** Takes an idle thread, or starts a new one. */
  take(): WarmWorker;
  /** Keeps a thread for the next document. An idle thread does not keep the process alive. */
  giveBack(thread: WarmWorker): void;
  /** Ends the idle threads. */
  closeIdle(): Promise<void>;
}

const programs: WarmWorkers[] = [];

/** Ends the idle threads of every program. */
export async function closeIdleWorkers(): Promise<void> {
  await Promise.all(programs.map((workers) => workers.closeIdle()));
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
      // An 'error' event without a listener would end the process.
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
      }, MAX_IDLE_MS);
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
  programs.push(workers);
  return workers;
}
