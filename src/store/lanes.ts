/**
 * The kinds of work that a document can be, the shortest first: a few pages that need no recognition, many of them, and
 * recognition of a few, of dozens, of hundreds of pages. `heavy` is a document that gave way because of its own memory, however
 * short it is: it runs in place of a document of the workers, never beside them.
 */
export const LANES = { brief: 0, text: 1, short: 2, medium: 3, long: 4, heavy: 5 } as const;

export type Lane = (typeof LANES)[keyof typeof LANES];

/** Returns the next longer lane; the longest has none but itself. */
export function nextLane(lane: Lane): Lane {
  return Object.values(LANES).find((other) => other > lane) ?? lane;
}

/** A set of lanes, with a bit for each: SQL has no arrays that both engines know. */
export type LaneSet = number;

export const ALL_LANES: LaneSet = setOfLanes(Object.values(LANES));

/** The lanes of documents that may run beyond the workers. */
export const LANES_BESIDE: LaneSet = ALL_LANES & ~setOfLanes([LANES.heavy]);

export function setOfLanes(lanes: readonly Lane[]): LaneSet {
  return lanes.reduce<number>((set, lane) => set | (1 << lane), 0);
}

/** The work that a document is expected to be. */
export interface Effort {
  lane: Lane;
  /** Time by which younger documents of the same organisation may overtake it: the longer it takes, the more. */
  delayMs: number;
}
