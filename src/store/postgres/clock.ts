import type { Pool } from 'pg';
import type { Clock } from '../unit.js';
import { withClient } from './pool.js';

/** Time between two readings of the database's clock. Clocks drift by some ten milliseconds a minute at most. */
const READ_EVERY_MS = 10_000;
/** Bound on a reading after the first one. The last offset is truer than a reading that a busy machine held up. */
const MAX_READING_MS = 200;

/** The database's clock, read now and then and carried on by this process's monotonic clock. */
export interface DatabaseClock extends Clock {
  stop(): void;
}

/**
 * Reads the clock of the database. All processes of a fleet have the same time then, whatever the clocks of their machines show;
 * its error is half of the time that a reading takes. The database's clock is kept by its operator, so it is steady too.
 */
export async function openClock(pool: Pool): Promise<DatabaseClock> {
  let { offsetMs } = await readOffset(pool);
  const timer = setInterval(() => {
    // The last offset is good for long.
    readOffset(pool).then(
      (reading) => {
        if (reading.tookMs <= MAX_READING_MS) offsetMs = reading.offsetMs;
      },
      () => {},
    );
  }, READ_EVERY_MS);
  timer.unref();
  const now = () => Math.floor(performance.now() + offsetMs);
  return { now, steadyNow: now, stop: () => clearInterval(timer) };
}

function readOffset(pool: Pool): Promise<{ offsetMs: number; tookMs: number }> {
  // Connecting is no part of the reading.
  return withClient(pool, async (client) => {
    const beforeMs = performance.now();
    const { rows } = await client.query<{ ms: number }>(
      'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS ms',
    );
    const afterMs = performance.now();
    return { offsetMs: (rows[0]?.ms ?? 0) - (beforeMs + afterMs) / 2, tookMs: afterMs - beforeMs };
  });
}
