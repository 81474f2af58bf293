import { rm } from 'node:fs/promises';
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
  /** The resident memory of all processes together, where it is bounded. */
  memory?: PoolMemory;
  /**
   * Time after which a running document counts as long. While one runs, a process that anybody may use stays ready, so that a
   * short document does not wait for the start of one.
   */
  readyAfterMs?: number;
  /** Prepares a task of the service's own in a directory. A process that has performed it is as quick as a used one. */
  makeWarmUpTask?: (directory: string) => Promise<Task>;
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
  /** True when there is memory for a document beyond those that the bound is made for. */
  readonly hasRoom: boolean;
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
  /** The task that it performs, with the time of its start. */
  task: { startedAtMs: number; mayGiveWay: boolean } | undefined;
  /** True once its document has given way. */
  hasGivenWay: boolean;
}

/** Bound on memory, and the count of processes that cannot exceed it, each within its own limit. */
interface PoolMemory {
  maxBytes: number;
  safeProcesses: number;
}

/** Memory that a short document takes, with its process. */
const ROOM_BYTES = 192 * 1024 * 1024;
const WATCH_MEMORY_MS = 250;
/** Limits of a warm-up, which takes a second. */
const WARM_UP_LIMITS: TaskLimits = { timeoutMs: 60_000, idleTimeoutMs: 60_000, memoryBytes: 512 * 1024 * 1024 };

const STOPPING: Outcome = { type: 'unavailable', message: 'the service is stopping' };
const CANCELLED: Outcome = { type: 'cancelled' };
const GAVE_WAY: Outcome = { type: 'unavailable', message: 'its memory was needed for other documents' };

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
  readonly #memoryWatch: NodeJS.Timeout | undefined;
  #isStopping = false;
  #isMakingReady = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new Slots(options.size);
    this.#rooms = new Rooms(options.room);
    this.#sweep = setInterval(() => this.#removeStale(), options.idleMs / 2);
    this.#sweep.unref();
    if (options.memory !== undefined) {
      this.#memoryWatch = setInterval(() => this.#giveWay(), WATCH_MEMORY_MS);
      this.#memoryWatch.unref();
    }
  }

  get hasRoom(): boolean {
    const { memory } = this.#options;
    if (memory === undefined) return true;
    const busy = [...this.#all].filter(({ task }) => task !== undefined);
    return sumMemory(busy) + ROOM_BYTES <= memory.maxBytes;
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
      reader.task = { startedAtMs: performance.now(), mayGiveWay: limits.mayGiveWay === true };
      const outcome = await this.#keepReady(performUntil(signal, reader.process, task, limits, onProgress));
      reader.hasRunNativeCode ||= mayHaveRunNativeCode(task, outcome);
      if (reader.hasGivenWay) return GAVE_WAY;
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
    clearInterval(this.#memoryWatch);
    await Promise.all([...this.#all].map(({ process }) => process.kill()));
    this.#all.clear();
  }

  #start(): Reader {
    const { program, taskType, confinement } = this.#options;
    // The directory must exist before its process.
    const room = this.#rooms.take();
    const process = startDocumentProcess(program, taskType, { ...confinement, room });
    const reader: Reader = {
      process,
      room,
      owner: undefined,
      hasRunNativeCode: false,
      idleSinceMs: performance.now(),
      task: undefined,
      hasGivenWay: false,
    };
    this.#all.add(reader);
    return reader;
  }

  /** Waits for a task, and makes a process ready for others when it takes long. */
  async #keepReady(task: Promise<Outcome>): Promise<Outcome> {
    const { readyAfterMs } = this.#options;
    const timer = readyAfterMs === undefined ? undefined : setTimeout(() => this.#makeReady(), readyAfterMs);
    try {
      return await task;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Starts a process when none is idle that anybody may use; where no more may be started, an idle one is replaced. */
  #makeReady(): void {
    if (this.#isStopping || this.#isMakingReady || this.#readyCount > 0) return;
    const { memory } = this.#options;
    if (memory !== undefined && sumMemory(this.#all) + ROOM_BYTES > memory.maxBytes) return;
    if (this.#all.size >= this.#options.size) {
      if (this.#idle[0] === undefined) return;
      this.#remove(this.#idle[0]);
    }
    this.#isMakingReady = true;
    this.#startReady()
      // The document that needs it tries again and reports the error.
      .catch(() => {})
      .finally(() => {
        this.#isMakingReady = false;
      });
  }

  async #startReady(): Promise<void> {
    const reader = this.#start();
    try {
      const task = await this.#options.makeWarmUpTask?.(reader.room);
      reader.task = { startedAtMs: Infinity, mayGiveWay: true };
      if (task === undefined) return;
      await reader.process.perform(task, WARM_UP_LIMITS, () => {});
      await rm(task.path, { force: true });
    } finally {
      this.#giveBack(reader);
    }
  }

  get #readyCount(): number {
    return this.#idle.filter(isReady).length;
  }

  get #hasLongTask(): boolean {
    const longSinceMs = performance.now() - (this.#options.readyAfterMs ?? Infinity);
    return [...this.#all].some(({ task }) => task !== undefined && task.startedAtMs <= longSinceMs);
  }

  /** Ends processes while all together exceed the bound: idle ones first, then what may give way, the latest first. */
  #giveWay(): void {
    const { memory } = this.#options;
    if (memory === undefined || this.#all.size <= memory.safeProcesses) return;
    let bytes = sumMemory(this.#all);
    while (bytes > memory.maxBytes) {
      const next =
        this.#idle[0] ?? [...this.#all].findLast(({ task, hasGivenWay }) => task?.mayGiveWay && !hasGivenWay);
      if (next === undefined) return;
      bytes -= next.process.measureMemory();
      if (next.task === undefined) this.#remove(next);
      else {
        next.hasGivenWay = true;
        void next.process.kill();
      }
    }
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
    if (this.#isStopping) return;
    reader.idleSinceMs = performance.now();
    reader.task = undefined;
    if (isSpent(reader.process, this.#options)) this.#remove(reader);
    else this.#idle.push(reader);
    if (this.#hasLongTask) this.#makeReady();
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
    const hasLongTask = this.#hasLongTask;
    for (const reader of this.#idle.filter(({ idleSinceMs }) => idleSinceMs < waitedSinceMs)) {
      if (this.#all.size <= keepWarm) return;
      if (hasLongTask && this.#readyCount === 1 && isReady(reader)) continue;
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

/** True when an idle process may read documents of anybody. */
function isReady({ process, hasRunNativeCode }: Reader): boolean {
  return process.isAlive && !hasRunNativeCode;
}

function sumMemory(readers: Iterable<Reader>): number {
  let bytes = 0;
  for (const { process } of readers) bytes += process.measureMemory();
  return bytes;
}

/** True when a process takes no further document. */
function isSpent(
  { isAlive, isLowered, tasks, residentBytes }: DocumentProcess,
  { recycleAfterTasks, recycleAtBytes }: Pick<PoolOptions, 'recycleAfterTasks' | 'recycleAtBytes'>,
): boolean {
  return !isAlive || isLowered || tasks >= recycleAfterTasks || residentBytes >= recycleAtBytes;
}
