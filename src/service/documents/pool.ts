import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Confinement } from './confine.js';
import { type DocumentProcess, startDocumentProcess, type TaskLimits } from './process-handle.js';
import type { Outcome, Task } from './protocol.js';

export const DOCUMENT_PROGRAM = fileURLToPath(new URL('./document-process.js', import.meta.url));

export interface PoolOptions {
  /** Path of the program that the processes run. */
  program: string;
  confinement: Omit<Confinement, 'readable'>;
  /** What the directories of its processes are called: this and a number. Each reads in its own and in no other. */
  room: string;
  /** Processes at most; a task beyond waits. */
  size: number;
  /** Processes that stay, however long they have nothing to do. */
  keepWarm: number;
  /** How long the others wait for work before they are ended. */
  idleMs: number;
  /** A process is replaced after so many documents, or when it holds so much memory after one. */
  recycleAfterTasks: number;
  recycleAtBytes: number;
}

export interface DocumentPool {
  /**
   * Resolves with what became of the task; a process that dies takes nothing else with it. `prepare` puts the document into
   * the directory that its process reads, once there is one. @throws what `prepare` does
   */
  perform(
    prepare: (directory: string) => Task | Promise<Task>,
    limits: TaskLimits,
    onProgress?: (pagesDone: number, pageCount: number) => void,
  ): Promise<Outcome>;
  /** Processes that are alive. */
  readonly processCount: number;
  /** Starts a process ahead of the first document. */
  warm(): void;
  /** Tasks under way end as `unavailable`; resolves when every process is gone. */
  stop(): Promise<void>;
}

const STOPPING: Outcome = { type: 'unavailable', message: 'the service is stopping' };

/** Processes that read one document at a time each, started when needed and used again. */
export function createDocumentPool(options: PoolOptions): DocumentPool {
  const all = new Set<DocumentProcess>();
  const rooms = new Map<DocumentProcess, string>();
  /** Of processes that are gone. */
  const freeRooms: string[] = [];
  let roomCount = 0;
  const idle: Array<{ process: DocumentProcess; sinceMs: number }> = [];
  const waiting: Array<() => void> = [];
  let reserved = 0;
  let isStopping = false;
  const sweep = setInterval(() => {
    // The one that has waited longest stands first.
    while (
      all.size > options.keepWarm &&
      (idle[0]?.sinceMs ?? Number.POSITIVE_INFINITY) < performance.now() - options.idleMs
    )
      remove((idle.shift() as { process: DocumentProcess }).process);
  }, options.idleMs / 2);
  sweep.unref();

  function remove(process: DocumentProcess): void {
    all.delete(process);
    process.kill().then(() => {
      const room = rooms.get(process);
      if (room !== undefined && rooms.delete(process)) freeRooms.push(room);
    });
  }

  function start(): DocumentProcess {
    const room = freeRooms.pop() ?? `${options.room}${roomCount++}`;
    // Before the process, which reads in directories that it finds.
    mkdirSync(room, { recursive: true, mode: 0o700 });
    const process = startDocumentProcess(options.program, { ...options.confinement, readable: [room] });
    rooms.set(process, room);
    all.add(process);
    return process;
  }

  function takeIdle(): DocumentProcess | undefined {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      if (next.process.isAlive) return next.process;
      remove(next.process);
    }
    return undefined;
  }

  async function acquire(): Promise<void> {
    if (reserved < options.size) reserved++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(process: DocumentProcess | undefined): void {
    if (process !== undefined) {
      const isSpent =
        !process.isAlive ||
        process.tasks >= options.recycleAfterTasks ||
        process.residentBytes >= options.recycleAtBytes;
      if (isSpent) remove(process);
      else idle.push({ process, sinceMs: performance.now() });
    }
    const next = waiting.shift();
    if (next === undefined) reserved--;
    else next();
  }

  return {
    perform: async (prepare, limits, onProgress = () => {}) => {
      await acquire();
      let process: DocumentProcess | undefined;
      try {
        if (isStopping) return STOPPING;
        try {
          process = takeIdle() ?? start();
        } catch (error) {
          return { type: 'unavailable', message: `no process can be started: ${(error as Error).message}` };
        }
        const outcome = await process.perform(await prepare(rooms.get(process) as string), limits, onProgress);
        return isStopping && outcome.type === 'died' ? STOPPING : outcome;
      } finally {
        release(process);
      }
    },
    get processCount() {
      return all.size;
    },
    warm: () => {
      if (all.size > 0 || isStopping) return;
      try {
        idle.push({ process: start(), sinceMs: performance.now() });
      } catch {
        // The first document tries again, and says what is wrong.
      }
    },
    stop: async () => {
      isStopping = true;
      clearInterval(sweep);
      await Promise.all([...all].map((process) => process.kill()));
      all.clear();
    },
  };
}
