export interface RunInOrderOptions<T> {
  count: number;
  /** Number of items worked on at once. */
  concurrency: number;
  /** A fault of the item itself must be part of the value: a rejection ends the whole run. */
  work(index: number): Promise<T>;
  /** Called for one item after another, in order. */
  deliver(done: T, index: number): Promise<void>;
  /** Size of a finished item while it waits for its turn. */
  weigh(done: T): number;
  /** Total weight of waiting items above which no new item begins. */
  maxWaitingWeight: number;
  /** True when nobody wants the remaining items any more. */
  isAbandoned(): boolean;
}

/**
 * Works on several items at once and delivers them in order. A slow item holds the later ones back, and what waits is
 * bounded: above `maxWaitingWeight` no new item begins, so at most that weight and `concurrency` items are held.
 * Rejects with the first rejection of `work` or `deliver`, and begins nothing more.
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
    begin();
  });
}
