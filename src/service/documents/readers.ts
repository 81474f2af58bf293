import type { Confinement } from './confine.js';
import { type DocumentProcess, startDocumentProcess } from './process-handle.js';
import type { Task } from './protocol.js';
import { Rooms } from './rooms.js';
import type { TaskLimits } from './watch-limits.js';

export interface ReadersOptions {
  /** Path of the program that the processes run. */
  program: string;
  /** Type of all tasks; a process preloads the modules for it. */
  taskType: Task['type'];
  confinement: Omit<Confinement, 'room'>;
  /** Prefix of the processes' directories, followed by a number. Each process reads only in its own. */
  room: string;
  /** Bound on processes. Further tasks wait. */
  size: number;
  /** A process is replaced after this many documents, or at this resident memory after a document. */
  recycleAfterTasks: number;
  recycleAtBytes: number;
}

/** A process with its directory, and the time since it has been idle. */
export interface Reader {
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
  /** True when that document took much memory itself. */
  isHeavy: boolean;
}

/** The processes of a pool: which are idle, and whose documents each may read. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #rooms: Rooms;
  readonly #all = new Set<Reader>();
  readonly #idle: Reader[] = [];

  constructor(options: ReadersOptions) {
    this.#options = options;
    this.#rooms = new Rooms(options.room);
  }

  /** All live processes, the first started first. */
  get all(): ReadonlySet<Reader> {
    return this.#all;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Idle processes, the longest idle first. */
  get idle(): readonly Reader[] {
    return this.#idle;
  }

  /** Count of idle processes that may read documents of anybody. */
  get readyCount(): number {
    return this.#idle.filter(isReady).length;
  }

  listBusy(): Reader[] {
    return [...this.#all].filter(({ task }) => task !== undefined);
  }

  /** Lists the processes that have been idle since before this time. */
  listIdleSince(timeMs: number): Reader[] {
    return this.#idle.filter(({ idleSinceMs }) => idleSinceMs < timeMs);
  }

  /** Counts the running tasks that started by this time; a warm-up never did. */
  countTasksSince(timeMs: number): number {
    return [...this.#all].filter(({ task }) => task !== undefined && task.startedAtMs <= timeMs).length;
  }

  /** Starts a process, which is not idle yet. @throws when the system has no more processes */
  start(): Reader {
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
      isHeavy: false,
    };
    this.#all.add(reader);
    return reader;
  }

  /**
   * Returns an idle process that may read documents of `owner`: the latest that has read some, else the longest idle one. When
   * there is none, it ends another one to make room. While a further process may be started, the last one that anybody may use
   * is left to whom `leavesReadyTo` says.
   */
  takeIdle(owner: string, leavesReadyTo?: TaskLimits['leavesReadyTo']): Reader | undefined {
    for (const dead of this.#idle.filter(({ process }) => !process.isAlive)) this.remove(dead);
    const [ready, ...others] = this.#idle.filter(isReady);
    const isForOthers =
      leavesReadyTo === 'anybody' || (leavesReadyTo === 'its-user' && ready !== undefined && ready.owner !== undefined);
    const isLeft = isForOthers && others.length === 0 && this.#canStart;
    const chosen = this.#idle.findLast((reader) => reader.owner === owner) ?? (isLeft ? undefined : ready);
    if (chosen !== undefined) this.#idle.splice(this.#idle.indexOf(chosen), 1);
    else this.makePlace();
    return chosen;
  }

  /** True when a further process may be started, if need be in the place of one that waits for its organisation alone. */
  get #canStart(): boolean {
    return this.#all.size < this.#options.size || this.readyCount < this.#idle.length;
  }

  /** Stops an idle process where no more may be started, the ready ones last; false when there is none. */
  makePlace(): boolean {
    if (this.#all.size < this.#options.size) return true;
    const longestIdle = this.#idle.find((reader) => !isReady(reader)) ?? this.#idle[0];
    if (longestIdle === undefined) return false;
    this.remove(longestIdle);
    return true;
  }

  /** Makes a process idle, or ends it when it takes no further document. */
  giveBack(reader: Reader): void {
    reader.idleSinceMs = performance.now();
    reader.task = undefined;
    if (isSpent(reader.process, this.#options)) this.remove(reader);
    else this.#idle.push(reader);
  }

  remove(reader: Reader): void {
    this.#all.delete(reader);
    const index = this.#idle.indexOf(reader);
    if (index !== -1) this.#idle.splice(index, 1);
    reader.process.kill().then(() => this.#rooms.giveBack(reader.room));
  }

  /** Resolves when every process is gone. */
  async killAll(): Promise<void> {
    await Promise.all([...this.#all].map(({ process }) => process.kill()));
    this.#all.clear();
  }
}

/** True when an idle process may read documents of anybody. */
export function isReady({ process, hasRunNativeCode }: Reader): boolean {
  return process.isAlive && !hasRunNativeCode;
}

/** True when a process takes no further document. */
function isSpent(
  { isAlive, isLowered, tasks, residentBytes }: DocumentProcess,
  { recycleAfterTasks, recycleAtBytes }: Pick<ReadersOptions, 'recycleAfterTasks' | 'recycleAtBytes'>,
): boolean {
  return !isAlive || isLowered || tasks >= recycleAfterTasks || residentBytes >= recycleAtBytes;
}
