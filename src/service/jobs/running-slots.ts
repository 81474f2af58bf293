import { ALL_LANES, LANES, LANES_BESIDE, type Lane, setOfLanes } from '../../store/lanes.js';
import type { Opening } from '../../store/turns.js';

/**
 * Slots beyond the workers. An organisation that comes while all workers are taken starts there at once, however long the
 * documents of the others take.
 */
const RESERVED_SLOTS = 1;

/** Workers for which each lane has one slot: a machine with many cores gets more short documents meanwhile. */
const WORKERS_PER_LANE_SLOT = 4;

/** The lanes that have slots of their own: those that a longer one can hold up. */
const LANES_WITH_SLOTS = Object.values(LANES).filter((lane) => lane < LANES.long);

/** Slots that each of these lanes has beyond the workers. */
function countLaneSlots(workers: number): number {
  return Math.ceil(workers / WORKERS_PER_LANE_SLOT);
}

/** Bound on the documents that run at once. */
export function countSlots(workers: number): number {
  return workers + RESERVED_SLOTS + countLaneSlots(workers) * LANES_WITH_SLOTS.length;
}

/** Free slots of one kind, and the documents that may have them. */
export interface FreeSlots extends Opening {
  count: number;
  /** A worker runs any document, a slot of a lane only documents of that lane. */
  kind: 'worker' | 'lane';
  /** True beyond the workers. Such a document gives way when the memory for all workers is used up. */
  isExtra: boolean;
}

/** A document that runs. */
export interface RunningDocument extends Pick<FreeSlots, 'kind' | 'isExtra'> {
  /** Its lane, as far as it is known. A longer one makes slots for shorter ones. */
  lane: Lane;
}

/**
 * The documents that run. While the workers have documents of longer lanes, each shorter lane has slots of its own: no document
 * waits for one that takes much longer, and each lane is bounded.
 */
export class RunningSlots {
  readonly #workers: number;
  readonly #running = new Set<RunningDocument>();

  constructor(workers: number) {
    this.#workers = workers;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Counts the documents of workers. */
  get workerCount(): number {
    return this.#count(({ kind }) => kind === 'worker');
  }

  /** Lists the free slots: all those of workers, or some of those beyond them. `hasRoom` tells whether there is memory for a document beyond the workers. */
  listFree(hasRoom: () => boolean): FreeSlots[] {
    const { workerCount } = this;
    const count = this.#workers - workerCount;
    if (count > 0) return [{ kind: 'worker', choice: 'any', lanes: ALL_LANES, isExtra: false, count }];
    const lanes = LANES_WITH_SLOTS.filter((lane) => this.#isLaneFree(lane));
    const isReserveFree = workerCount < this.#workers + RESERVED_SLOTS;
    if ((lanes.length === 0 && !isReserveFree) || !hasRoom()) return [];
    return [
      ...(lanes.length === 0
        ? []
        : // A document of one lane changes which others are free.
          [{ kind: 'lane', choice: 'any', lanes: setOfLanes(lanes), isExtra: true, count: 1 } as const]),
      ...(isReserveFree
        ? [{ kind: 'worker', choice: 'light', lanes: LANES_BESIDE, isExtra: true, count: 1 } as const]
        : []),
    ];
  }

  /** Takes a slot for a document; returns it for `free`. */
  take(lane: Lane, { kind, isExtra }: FreeSlots): RunningDocument {
    const document = { lane, kind, isExtra };
    this.#running.add(document);
    return document;
  }

  free(document: RunningDocument): void {
    this.#running.delete(document);
  }

  /** True when a document of the lane would wait for longer ones only. */
  #isLaneFree(lane: Lane): boolean {
    const taken = this.#count((one) => one.kind === 'lane' && one.lane === lane);
    return taken < countLaneSlots(this.#workers) && [...this.#running].some((one) => one.lane > lane);
  }

  #count(matches: (document: RunningDocument) => boolean): number {
    return [...this.#running].filter(matches).length;
  }
}
