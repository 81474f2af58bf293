export interface RunInOrderOptions<T> {
  count: number;
  /** How many are worked on at once. */
  concurrency: number;
  /** Must not reject for what is the item's own fault. */
  work(index: number): Promise<T>;
  /** Called for one item after the other, in their order. */
  deliver(done: T, index: number): Promise<void>;
  /** What a finished item takes while it waits for its turn. */
  weigh(done: T): number;
  /** No item is begun while those that wait for their turn weigh more. */
  maxWaitingWeight: number;
  /** Whether nobody wants the rest any more. */
  isOver(): boolean;
}

/**
 * Works on several items at once and delivers them in order. One that takes long holds the later ones back, and what
 * waits is bounded: beyond `maxWaitingWeight` nothing new is begun, so at most that and `concurrency` items are held.
 * Rejects, and begins nothing more, with whatever `work` or `deliver` reject with.
 */
export async function runInOrder<T>(options: RunInOrderOptions<T>): Promise<void> {
  const { count, concurrency, maxWaitingWeight } = options;
  const finished = new Map<number, { done: T; weight: number }>();
  let waitingWeight = 0;
  let active = 0;
  let next = 0;
  let turn = 0;
  let isDelivering = false;
  let isEnded = false;

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
        for (let item = finished.get(turn); item !== undefined && !isEnded; item = finished.get(turn)) {
          finished.delete(turn);
          await options.deliver(item.done, turn);
          waitingWeight -= item.weight;
          turn++;
          if (turn === count || options.isOver()) return end(resolve);
          begin();
        }
      } catch (error) {
        end(() => reject(error));
      } finally {
        isDelivering = false;
      }
    };
    if (count === 0) return end(resolve);
    begin();
  });
}
