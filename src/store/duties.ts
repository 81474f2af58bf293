import type { Store } from './store.js';
import { one, run, steadyNow, type Unit } from './unit.js';

/** Work that one process of a store does for all, again and again. */
export interface Duty {
  name: string;
  /** Time between the beginnings of two rounds. */
  intervalMs: number;
  /** Time after which others take over from a process that was killed or cut off. */
  leaseMs: number;
}

/**
 * Does a round of a duty, unless another process does it, or has begun one within the interval. The signal for `work` is aborted
 * by `stop`, and when the duty was lost to another process. Returns the time until the next look is worthwhile.
 *
 * One row says when the duty may be taken. No lock of a session would do: a pooler lends a session for one transaction.
 */
export async function doInTurn(
  store: Store,
  duty: Duty,
  work: (signal: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<number> {
  if (!store.isShared) {
    await work(stop);
    return duty.intervalMs;
  }
  const begunMs = store.clock.steadyNow();
  const { isTaken, freeAtMs } = await store.write(() => take(duty));
  if (!isTaken) return freeAtMs - store.clock.steadyNow();
  const lost = new AbortController();
  let heldUntilMs = freeAtMs;
  let renewed = Promise.resolve();
  const moveTo = async (untilMs: number) => {
    if (await store.write(() => move(duty.name, heldUntilMs, untilMs))) heldUntilMs = untilMs;
    else lost.abort();
  };
  const timer = setInterval(() => {
    // A database that is away ends the round by itself.
    renewed = renewed.then(() => moveTo(store.clock.steadyNow() + duty.leaseMs)).catch(() => {});
  }, duty.leaseMs / 3);
  try {
    await work(AbortSignal.any([stop, lost.signal]));
  } finally {
    clearInterval(timer);
    await renewed;
    // A round that was stopped is unfinished: free at once, also by the clock of a process that is a little behind.
    await moveTo(stop.aborted ? 0 : begunMs + duty.intervalMs);
  }
  return begunMs + duty.intervalMs - store.clock.steadyNow();
}

function* take({ name, leaseMs }: Duty): Unit<{ isTaken: boolean; freeAtMs: number }> {
  const nowMs = yield* steadyNow();
  const untilMs = nowMs + leaseMs;
  const taken = yield* run(
    `INSERT INTO setting (name, value) VALUES (:name, :untilMs)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE CAST(setting.value AS BIGINT) <= :nowMs`,
    { name: rowOf(name), untilMs: String(untilMs), nowMs },
  );
  if (taken === 1) return { isTaken: true, freeAtMs: untilMs };
  const row = yield* one<{ value: string }>('SELECT value FROM setting WHERE name = :name', { name: rowOf(name) });
  return { isTaken: false, freeAtMs: Number(row?.value ?? nowMs) };
}

/** Changes the time at which the duty may be taken; false when another process has taken it, whose time is always later. */
function* move(name: string, fromMs: number, toMs: number): Unit<boolean> {
  const values = { name: rowOf(name), from: String(fromMs), to: String(toMs) };
  return (yield* run('UPDATE setting SET value = :to WHERE name = :name AND value = :from', values)) === 1;
}

const rowOf = (name: string) => `duty ${name}`;
