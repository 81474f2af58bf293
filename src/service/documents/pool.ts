import { rm } from 'node:fs/promises';
import { mayHaveRunNativeCode } from './may-have-run-native-code.js';
import { HEAVY_BYTES, MemoryBound, type MemoryLimit } from './memory-bound.js';
import type { DocumentProcess } from './process-handle.js';
import type { Outcome, Task } from './protocol.js';
import { isReady, type Reader, Readers, type ReadersOptions } from './readers.js';
import { Slots } from './slots.js';
import type { TaskLimits } from './watch-limits.js';

export interface PoolOptions extends ReadersOptions {
  /** Count of processes that stay without work. */
  keepWarm: number;
  /** Time without work after which the other processes end. */
  idleMs: number;
  /** The resident memory of all processes together, where it is bounded. */
  memory?: MemoryLimit;
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

const WATCH_MEMORY_MS = 250;
/** Limits of a warm-up, which takes a second. */
const WARM_UP_LIMITS: TaskLimits = { timeoutMs: 60_000, idleTimeoutMs: 60_000, memoryBytes: 512 * 1024 * 1024 };

const STOPPING: Outcome = { type: 'unavailable', message: 'the service is stopping' };
const CANCELLED: Outcome = { type: 'cancelled' };
const GAVE_WAY = { type: 'unavailable', message: 'its memory was needed for other documents' } as const;

/** Creates a pool of processes that read one document at a time, started on demand and reused. */
export function createDocumentPool(options: PoolOptions): DocumentPool {
  return new ProcessPool(options);
}

class ProcessPool implements DocumentPool {
  readonly #options: PoolOptions;
  readonly #slots: Slots;
  readonly #readers: Readers;
  readonly #memory: MemoryBound | undefined;
  readonly #sweep: NodeJS.Timeout;
  readonly #memoryWatch: NodeJS.Timeout | undefined;
  #isStopping = false;
  #isMakingReady = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new Slots(options.size);
    this.#readers = new Readers(options);
    this.#sweep = setInterval(() => this.#removeStale(), options.idleMs / 2);
    this.#sweep.unref();
    if (options.memory !== undefined) {
      const memory = new MemoryBound(options.memory);
      this.#memory = memory;
      this.#memoryWatch = setInterval(() => this.#giveWay(memory), WATCH_MEMORY_MS);
      this.#memoryWatch.unref();
    }
  }

  get hasRoom(): boolean {
    return this.#memory?.hasRoomBeside(this.#readers.listBusy()) ?? true;
  }

  get processCount(): number {
    return this.#readers.size;
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
        reader = this.#readers.takeIdle(owner, limits.leavesReadyTo) ?? this.#readers.start();
      } catch (error) {
        return { type: 'unavailable', message: `no process can be started: ${(error as Error).message}` };
      }
      const task = {
        ...(await prepare(reader.room)),
        isOwnerNew: reader.owner !== undefined && reader.owner !== owner,
      };
      reader.owner = owner;
      reader.task = { startedAtMs: performance.now(), mayGiveWay: limits.mayGiveWay === true };
      // A lone long task keeps its priority, and with it its process, in which the engine is loaded.
      const watched = { ...limits, hasNeighbours: () => this.#readers.countTasksSince(performance.now()) > 1 };
      const outcome = await this.#keepReady(performUntil(signal, reader.process, task, watched, onProgress));
      reader.hasRunNativeCode ||= mayHaveRunNativeCode(task, outcome);
      if (reader.hasGivenWay) return { ...GAVE_WAY, isHeavy: reader.isHeavy };
      return this.#isStopping && outcome.type === 'died' ? STOPPING : outcome;
    } finally {
      if (reader !== undefined) this.#giveBack(reader);
      this.#slots.release();
    }
  }

  warm(): void {
    if (this.#readers.size > 0 || this.#isStopping) return;
    try {
      this.#readers.giveBack(this.#readers.start());
    } catch {
      // The first document tries again and reports the error.
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweep);
    clearInterval(this.#memoryWatch);
    await this.#readers.killAll();
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
    if (this.#isStopping || this.#isMakingReady || this.#readers.readyCount > 0) return;
    if (this.#memory?.hasRoomBeside(this.#readers.all) === false || !this.#readers.makePlace()) return;
    this.#isMakingReady = true;
    this.#startReady()
      // The document that needs it tries again and reports the error.
      .catch(() => {})
      .finally(() => {
        this.#isMakingReady = false;
      });
  }

  async #startReady(): Promise<void> {
    const reader = this.#readers.start();
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

  get #hasLongTask(): boolean {
    return this.#readers.countTasksSince(performance.now() - (this.#options.readyAfterMs ?? Infinity)) > 0;
  }

  /** Ends processes while all together exceed the bound. */
  #giveWay(memory: MemoryBound): void {
    for (const reader of memory.chooseExcess(this.#readers.all, this.#readers.idle)) {
      if (reader.task === undefined) this.#readers.remove(reader);
      else {
        reader.hasGivenWay = true;
        reader.isHeavy = reader.process.measureMemory() >= HEAVY_BYTES;
        void reader.process.kill();
      }
    }
  }

  #giveBack(reader: Reader): void {
    if (this.#isStopping) return;
    this.#readers.giveBack(reader);
    if (this.#hasLongTask) this.#makeReady();
  }

  #removeStale(): void {
    const { idleMs, keepWarm } = this.#options;
    const hasLongTask = this.#hasLongTask;
    for (const reader of this.#readers.listIdleSince(performance.now() - idleMs)) {
      if (this.#readers.size <= keepWarm) return;
      if (hasLongTask && this.#readers.readyCount === 1 && isReady(reader)) continue;
      this.#readers.remove(reader);
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
