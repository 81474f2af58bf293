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
  /** Of all its tasks: a process loads what they need before the first comes. */
  taskType: Task['type'];
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

/** A process, the directory that it reads in, and since when it has had nothing to do. */
interface Reader {
  process: DocumentProcess;
  room: string;
  idleSinceMs: number;
}

const STOPPING: Outcome = { type: 'unavailable', message: 'the service is stopping' };

/** Processes that read one document at a time each, started when needed and used again. */
export function createDocumentPool(options: PoolOptions): DocumentPool {
  const all = new Set<Reader>();
  /** The one that has waited longest stands first. */
  const idle: Reader[] = [];
  /** Of processes that are gone. */
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
    // Before the process, which reads in directories that it finds.
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
        // The first document tries again, and says what is wrong.
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
