import type { Pool } from 'pg';
import type { Clock } from '../unit.js';
import { withClient } from './pool.js';

/** Time between two readings of the database's clock. */
const READ_EVERY_MS = 10_000;
/** Readings of which the truest is the first one: a busy machine may hold one of them up. */
const FIRST_READINGS = 3;
/** Clocks differ by half a millisecond a second at most: no faster does NTP correct one (RFC 5905, MAXFREQ). */
const MAX_DRIFT = 0.0005;

/** The database's clock beside this process's monotonic clock. */
export interface ClockReading {
  /** Offset of the database's clock from the monotonic one. */
  offsetMs: number;
  /** Half of the time that the reading took. */
  errorMs: number;
  /** Time of the reading by the monotonic clock. */
  atMs: number;
}

/** The database's clock, read now and then and carried on by this process's monotonic clock. */
export interface DatabaseClock extends Clock {
  stop(): void;
}

/**
 * Reads the clock of the database. All processes of a fleet have the same time then, whatever the clocks of their machines show;
 * its error is half of the time that a reading takes. The database's clock is kept by its operator, so it is steady too.
 */
export async function openClock(pool: Pool): Promise<DatabaseClock> {
  const { now, correct } = carryOn(await readClock(pool, FIRST_READINGS));
  const timer = setInterval(() => {
    // The last reading is good for long.
    readClock(pool).then(correct, () => {});
  }, READ_EVERY_MS);
  timer.unref();
  return { now, steadyNow: now, stop: () => clearInterval(timer) };
}

/**
 * Carries a reading on until a truer one corrects it: a reading that a busy machine held up may be wrong by seconds. The clock
 * waits rather than goes back, so that what has ended stays so. It is set anew where two readings contradict each other: a
 * machine slept, or the database's clock was set.
 */
export function carryOn(
  first: ClockReading,
  elapsed: () => number = () => performance.now(),
): { now: () => number; correct: (next: ClockReading) => void } {
  let reading = first;
  let latestMs = Number.NEGATIVE_INFINITY;
  return {
    now: () => {
      latestMs = Math.max(latestMs, Math.floor(elapsed() + reading.offsetMs));
      return latestMs;
    },
    correct: (next) => {
      const errorMs = reading.errorMs + (next.atMs - reading.atMs) * MAX_DRIFT;
      const isSet = Math.abs(next.offsetMs - reading.offsetMs) > next.errorMs + errorMs;
      if (isSet) latestMs = Number.NEGATIVE_INFINITY;
      if (isSet || next.errorMs <= errorMs) reading = next;
    },
  };
}

/** Returns the truest of some readings. */
function readClock(pool: Pool, count = 1): Promise<ClockReading> {
  // Connecting is no part of the reading.
  return withClient(pool, async (client) => {
    let truest: ClockReading | undefined;
    for (let i = 0; truest === undefined || i < count; i++) {
      const beforeMs = performance.now();
      const { rows } = await client.query<{ ms: number }>(
        'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS ms',
      );
      const atMs = performance.now();
      const errorMs = (atMs - beforeMs) / 2;
      if (truest !== undefined && truest.errorMs <= errorMs) continue;
      truest = { offsetMs: (rows[0]?.ms ?? 0) - (beforeMs + atMs) / 2, errorMs, atMs };
    }
    return truest;
  });
}
