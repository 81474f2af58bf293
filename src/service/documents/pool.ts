import { fileURLToPath } from 'node:url';
import type { Confinement } from './confine.js';
import { mayHaveRunNativeCode } from './may-have-run-native-code.js';
import { type DocumentProcess, startDocumentProcess } from './process-handle.js';
import type { Outcome, Task } from './protocol.js';
import { Rooms } from './rooms.js';
import { Slots } from './slots.js';
import type { TaskLimits } from './watch-limits.js';

export const DOCUMENT_PROGRAM = fileURLToPath(new URL('./document-process.js', import.meta.url));

export interface PoolOptions {
  /** Path of the program that the processes run. */
  program: string;
  /** Type of all tasks; a process preloads the modules for it. */
  taskType: Task['type'];
  confinement: Omit<Confinement, 'room'>;
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
   * directory of its process, once there is one. A process in which native code may have worked on a document takes further ones
   * of the same `owner` only. An aborted `signal` ends the process, and the task as `cancelled`. @throws the error of `prepare`
   */
  perform(
    owner: string,
    prepare: (directory: string) => Task | Promise<Task>,
    limits: TaskLimits,
    onProgress?: (pagesDone: number, pageCount: number) => void,
    signal?: AbortSignal,
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
  /** Owner of the documents so far; undefined before the first. */
  owner: string | undefined;
  hasRunNativeCode: boolean;
  idleSinceMs: number;
}

const STOPPING: Outcome = { type: 'unavailable', message: 'the service is stopping' };
const CANCELLED: Outcome = { type: 'cancelled' };

/** Creates a pool of processes that read one document at a time, started on demand and reused. */
export function createDocumentPool(options: PoolOptions): DocumentPool {
  return new ProcessPool(options);
}

class ProcessPool implements DocumentPool {
  readonly #options: PoolOptions;
  readonly #slots: Slots;
  readonly #rooms: Rooms;
  readonly #all = new Set<Reader>();
  /** Idle processes, the longest idle first. */
  readonly #idle: Reader[] = [];
  readonly #sweep: NodeJS.Timeout;
  #isStopping = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new Slots(options.size);
    this.#rooms = new Rooms(options.room);
    this.#sweep = setInterval(() => this.#removeStale(), options.idleMs / 2);
    this.#sweep.unref();
  }

  get processCount(): number {
    return this.#all.size;
  }

  async perform(
    owner: string,
    prepare: (directory: string) => Task | Promise<Task>,
    limits: TaskLimits,
    onProgress: (pagesDone: number, pageCount: number) => void = () => {},
    signal?: AbortSignal,
  ): Promise<Outcome> {
    await this.#slots.acquire();
    let reader: Reader | undefined;
    try {
      if (this.#isStopping) return STOPPING;
      if (signal?.aborted) return CANCELLED;
      try {
        reader = this.#takeIdle(owner) ?? this.#start();
      } catch (error) {
        return { type: 'unavailable', message: `no process can be started: ${(error as Error).message}` };
      }
      const task = {
        ...(await prepare(reader.room)),
        isOwnerNew: reader.owner !== undefined && reader.owner !== owner,
      };
      reader.owner = owner;
      const outcome = await performUntil(signal, reader.process, task, limits, onProgress);
      reader.hasRunNativeCode ||= mayHaveRunNativeCode(task, outcome);
      return this.#isStopping && outcome.type === 'died' ? STOPPING : outcome;
    } finally {
      if (reader !== undefined) this.#giveBack(reader);
      this.#slots.release();
    }
  }

  warm(): void {
    if (this.#all.size > 0 || this.#isStopping) return;
    try {
      this.#idle.push(this.#start());
    } catch {
      // The first document tries again and reports the error.
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweep);
    await Promise.all([...this.#all].map(({ process }) => process.kill()));
    this.#all.clear();
  }

  #start(): Reader {
    const { program, taskType, confinement } = this.#options;
    // The directory must exist before its process.
    const room = this.#rooms.take();
    const process = startDocumentProcess(program, taskType, { ...confinement, room });
    const reader = { process, room, owner: undefined, hasRunNativeCode: false, idleSinceMs: performance.now() };
    this.#all.add(reader);
    return reader;
  }

  /**
   * Returns an idle process that may read documents of `owner`: the latest that has read some, else the longest idle one. When
   * there is none, it ends another one to make room.
   */
  #takeIdle(owner: string): Reader | undefined {
    for (const dead of this.#idle.filter(({ process }) => !process.isAlive)) this.#remove(dead);
    const chosen =
      this.#idle.findLast((reader) => reader.owner === owner) ?? this.#idle.find((reader) => !reader.hasRunNativeCode);
    if (chosen !== undefined) this.#idle.splice(this.#idle.indexOf(chosen), 1);
    else if (this.#idle[0] !== undefined && this.#all.size >= this.#options.size) this.#remove(this.#idle[0]);
    return chosen;
  }

  #giveBack(reader: Reader): void {
    reader.idleSinceMs = performance.now();
    if (isSpent(reader.process, this.#options)) this.#remove(reader);
    else this.#idle.push(reader);
  }

  #remove(reader: Reader): void {
    this.#all.delete(reader);
    const index = this.#idle.indexOf(reader);
    if (index !== -1) this.#idle.splice(index, 1);
    reader.process.kill().then(() => this.#rooms.giveBack(reader.room));
  }

  #removeStale(): void {
    const { idleMs, keepWarm } = this.#options;
    const waitedSinceMs = performance.now() - idleMs;
    for (const reader of this.#idle.filter(({ idleSinceMs }) => idleSinceMs < waitedSinceMs)) {
      if (this.#all.size <= keepWarm) return;
      this.#remove(reader);
    }
  }
}

/** Performs the task, and kills the process once `signal` is aborted. */
async function performUntil(
  signal: AbortSignal | undefined,
  process: DocumentProcess,
  task: Task,
  limits: TaskLimits,
  onProgress: (pagesDone: number, pageCount: number) => void,
): Promise<Outcome> {
  if (signal?.aborted) return CANCELLED;
  const kill = () => void process.kill();
  signal?.addEventListener('abort', kill);
  try {
    const outcome = await process.perform(task, limits, onProgress);
    if (!signal?.aborted) return outcome;
    // A process that is being killed must not count as idle.
    await process.kill();
    return outcome.type === 'died' ? CANCELLED : outcome;
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** True when a process takes no further document. */
function isSpent(
  { isAlive, isLowered, tasks, residentBytes }: DocumentProcess,
  { recycleAfterTasks, recycleAtBytes }: Pick<PoolOptions, 'recycleAfterTasks' | 'recycleAtBytes'>,
): boolean {
  return !isAlive || isLowered || tasks >= recycleAfterTasks || residentBytes >= recycleAtBytes;
}
