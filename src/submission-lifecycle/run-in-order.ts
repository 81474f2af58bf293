/** Items that hold no later one back: nobody knows when they end. They are delivered when they have ended. */
export class HeldUpItems {
  readonly #indexes = new Set<number>();
  /** Called after an item was added: what waits for it may go on. */
  onAdd: () => void = () => {};

  has(index: number): boolean {
    return this.#indexes.has(index);
  }

  add(index: number): void {
    this.#indexes.add(index);
    this.onAdd();
  }

  delete(index: number): void {
    this.#indexes.delete(index);
  }
}

export interface RunInOrderOptions<T> {
  count: number;
  /** Number of items worked on at once. */
  concurrency: number;
  /** A fault of the item itself must be part of the value: a rejection ends the whole run. */
  work(index: number): Promise<T>;
  /** Called for one item after another, in order but for items that are held up. */
  deliver(done: T, index: number): Promise<void>;
  /** Size of a finished item while it waits for its turn. */
  weigh(done: T): number;
  /** Total weight of waiting items above which no new item begins. */
  maxWaitingWeight: number;
  /** True when nobody wants the remaining items any more. */
  isAbandoned(): boolean;
  heldUp?: HeldUpItems;
}

/**
 * Works on several items at once and delivers them in order. A slow item holds the later ones back, and what waits is
 * bounded: above `maxWaitingWeight` no new item begins, so at most that weight and `concurrency` items are held.
 * Rejects with the first rejection of `work` or `deliver`, and begins nothing more.
 */
export async function runInOrder<T>(options: RunInOrderOptions<T>): Promise<void> {
  const { count, concurrency, maxWaitingWeight, heldUp } = options;
  const finished = new Map<number, { done: T; weight: number }>();
  let waitingWeight = 0;
  let active = 0;
  let next = 0;
  let turn = 0;
  /** Items after `turn` that passed one that is held up. */
  const passed = new Set<number>();
  let isDelivering = false;
  let isEnded = false;

  /** Returns the item whose turn it is; undefined while it has not ended. */
  const findDeliverable = (): number | undefined => {
    for (let index = turn; index < next; index++) {
      if (finished.has(index)) return index;
      if (!passed.has(index) && heldUp?.has(index) !== true) return undefined;
    }
    return undefined;
  };
  const countDelivered = (index: number) => {
    passed.add(index);
    while (passed.delete(turn)) turn++;
  };

  await new Promise<void>((resolve, reject) => {
    const end = (finish: () => void) => {
      isEnded = true;
      finish();
    };
    const begin = () => {
      while (!isEnded && active < concurrency && next < count && waitingWeight <= maxWaitingWeight) {
        const index = next++;
        active++;
        options.work(index).then(
          (done) => {
            active--;
            const weight = options.weigh(done);
            finished.set(index, { done, weight });
            waitingWeight += weight;
            void deliver();
            begin();
          },
          (error) => end(() => reject(error)),
        );
      }
    };
    const deliver = async () => {
      if (isDelivering || isEnded) return;
      isDelivering = true;
      try {
        for (let index = findDeliverable(); index !== undefined && !isEnded; index = findDeliverable()) {
          const item = finished.get(index) as { done: T; weight: number };
          finished.delete(index);
          await options.deliver(item.done, index);
          waitingWeight -= item.weight;
          countDelivered(index);
          if (turn === count || options.isAbandoned()) return end(resolve);
          begin();
        }
      } catch (error) {
        end(() => reject(error));
      } finally {
        isDelivering = false;
      }
    };
    if (count === 0) return end(resolve);
    if (heldUp !== undefined) heldUp.onAdd = () => void deliver();
    begin();
  });
}
