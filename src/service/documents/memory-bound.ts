import type { DocumentProcess } from './process-handle.js';

/** Bound on memory, and the count of processes that cannot exceed it, each within its own limit. */
export interface MemoryLimit {
  maxBytes: number;
  safeProcesses: number;
}

/** A process with the task that it performs. */
interface MemoryUser {
  readonly process: Pick<DocumentProcess, 'measureMemory'>;
  readonly task: { readonly mayGiveWay: boolean } | undefined;
  /** True once its document has given way. */
  readonly hasGivenWay: boolean;
}

/** Memory that a short document takes, with its process. */
const ROOM_BYTES = 192 * 1024 * 1024;
/** Memory from which a document that gives way is itself the cause: recognition of a usual page takes less. */
export const HEAVY_BYTES = 512 * 1024 * 1024;

/** The memory that the processes of a pool may take together. */
export class MemoryBound {
  readonly #limit: MemoryLimit;

  constructor(limit: MemoryLimit) {
    this.#limit = limit;
  }

  /** True when there is memory for a short document beside these processes. */
  hasRoomBeside(users: Iterable<MemoryUser>): boolean {
    return sumMemory(users) + ROOM_BYTES <= this.#limit.maxBytes;
  }

  /**
   * Chooses the processes whose end brings all below the bound: the first of `idle` first, then what may give way, the last of
   * `all` first.
   */
  chooseExcess<User extends MemoryUser>(all: ReadonlySet<User>, idle: readonly User[]): User[] {
    const { maxBytes, safeProcesses } = this.#limit;
    if (all.size <= safeProcesses) return [];
    let bytes = sumMemory(all);
    const givingWay = [...all].filter(({ task, hasGivenWay }) => task?.mayGiveWay && !hasGivenWay).reverse();
    const chosen: User[] = [];
    for (const user of [...idle, ...givingWay]) {
      if (bytes <= maxBytes) break;
      bytes -= user.process.measureMemory();
      chosen.push(user);
    }
    return chosen;
  }
}

function sumMemory(users: Iterable<MemoryUser>): number {
  let bytes = 0;
  for (const { process } of users) bytes += process.measureMemory();
  return bytes;
}
