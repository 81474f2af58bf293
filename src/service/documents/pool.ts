import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Confinement } from './confine.js';
import { type DocumentProcess, startDocumentProcess } from './process-handle.js';
import type { Outcome, Task } from './protocol.js';
import type { TaskLimits } from './watch-limits.js';

export const DOCUMENT_PROGRAM = fileURLToPath(new URL('./document-process.js', import.meta.url));

export interface PoolOptions {
  /** Path of the program that the processes run. */
  program: string;
  /** Type of all tasks; a process preloads the modules for it. */
  taskType: Task['type'];
  confinement: Omit<Confinement, 'readable'>;
  /** Prefix of the processes' directories, followed by a number. Each process reads only in its own. */
  room: string;
  /** Bound on processes. Further tasks wait. */
  size: number;
  /** Count of processes that stay without work. */
  keepWarm: number;
  /** Time without work after which the other processes end. */
  idleMs: number;
  /** A process is replaced after this many documents, or at this resident memory after a document. */
  recycleAfterTasks: number;
  recycleAtBytes: number;
}

export interface DocumentPool {
  /**
   * Resolves with the outcome of the task. A process that dies affects no other task. `prepare` puts the document into the
   * directory of its process, once there is one. @throws the error of `prepare`
   */
  perform(
    prepare: (directory: string) => Task | Promise<Task>,
    limits: TaskLimits,
    onProgress?: (pagesDone: number, pageCount: number) => void,
  ): Promise<Outcome>;
  /** Count of live processes. */
  readonly processCount: number;
  /** Starts a process before the first document. */
  warm(): void;
  /** Ends running tasks as `unavailable`; resolves when every process is gone. */
  stop(): Promise<void>;
}

/** A process with its directory, and the time since it has been idle. */
interface Reader {
  process: DocumentProcess;
  room: string;
  idleSinceMs: number;
}

const STOPPING: Outcome = { type: 'unavailable', message: 'the service is stopping' };

/** Processes that read one document at a time, started on demand and reused. */
export function createDocumentPool(options: PoolOptions): DocumentPool {
  const all = new Set<Reader>();
  /** Idle processes, the longest idle first. */
  const idle: Reader[] = [];
  /** Directories of ended processes. */
  const freeRooms: string[] = [];
  let roomCount = 0;
  const waiting: Array<() => void> = [];
  let reserved = 0;
  let isStopping = false;
  const sweep = setInterval(() => {
    const waitedSinceMs = performance.now() - options.idleMs;
    for (const reader of idle.filter(({ idleSinceMs }) => idleSinceMs < waitedSinceMs)) {
      if (all.size <= options.keepWarm) return;
      idle.shift();
      remove(reader);
    }
  }, options.idleMs / 2);
  sweep.unref();

  function remove(reader: Reader): void {
    all.delete(reader);
    reader.process.kill().then(() => freeRooms.push(reader.room));
  }

  function start(): Reader {
    const room = freeRooms.pop() ?? `${options.room}${roomCount++}`;
    // The directory must exist before its process.
    mkdirSync(room, { recursive: true, mode: 0o700 });
    const process = startDocumentProcess(options.program, options.taskType, {
      ...options.confinement,
      readable: [room],
    });
    const reader = { process, room, idleSinceMs: performance.now() };
    all.add(reader);
    return reader;
  }

  function takeIdle(): Reader | undefined {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      if (next.process.isAlive) return next;
      remove(next);
    }
    return undefined;
  }

  async function acquire(): Promise<void> {
    if (reserved < options.size) reserved++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(reader: Reader | undefined): void {
    if (reader !== undefined) {
      const { isAlive, tasks, residentBytes } = reader.process;
      const isSpent = !isAlive || tasks >= options.recycleAfterTasks || residentBytes >= options.recycleAtBytes;
      reader.idleSinceMs = performance.now();
      if (isSpent) remove(reader);
      else idle.push(reader);
    }
    const next = waiting.shift();
    if (next === undefined) reserved--;
    else next();
  }

  return {
    perform: async (prepare, limits, onProgress = () => {}) => {
      await acquire();
      let reader: Reader | undefined;
      try {
        if (isStopping) return STOPPING;
        try {
          reader = takeIdle() ?? start();
        } catch (error) {
          return { type: 'unavailable', message: `no process can be started: ${(error as Error).message}` };
        }
        const outcome = await reader.process.perform(await prepare(reader.room), limits, onProgress);
        return isStopping && outcome.type === 'died' ? STOPPING : outcome;
      } finally {
        release(reader);
      }
    },
    get processCount() {
      return all.size;
    },
    warm: () => {
      if (all.size > 0 || isStopping) return;
      try {
        idle.push(start());
      } catch {
        // The first document tries again and reports the error.
      }
    },
    stop: async () => {
      isStopping = true;
      clearInterval(sweep);
      await Promise.all([...all].map(({ process }) => process.kill()));
      all.clear();
    },
  };
}
