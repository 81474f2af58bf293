import { all, run, type Unit } from './unit.js';

/** Documents of one day. */
export interface UsageDay {
  /** `2026-11-26`, UTC. */
  day: string;
  accepted: number;
  /** Documents that failed and do not count; `accepted - failed` count in the plan. */
  failed: number;
  /** Answers from the cache. */
  cached: number;
  /** Pages of the documents that were read. */
  pages: number;
}

const ADD = `
  INSERT INTO usage_day (organisation_id, day, accepted, failed, cached, pages)
  VALUES (:organisationId, :day, :accepted, :failed, :cached, :pages)
  ON CONFLICT (organisation_id, day) DO UPDATE SET accepted = usage_day.accepted + excluded.accepted,
    failed = usage_day.failed + excluded.failed, cached = usage_day.cached + excluded.cached,
    pages = usage_day.pages + excluded.pages`;

/**
 * Adds to the day of a time. The last statement of its transaction, after that of `usage`: all calls of the organisation wait for
 * this row until the end, and everybody locks the two in this order.
 */
export function* addToDay(
  organisationId: string,
  atMs: number,
  { accepted = 0, failed = 0, cached = 0, pages = 0 }: Partial<Omit<UsageDay, 'day'>>,
): Unit<void> {
  yield* run(ADD, { organisationId, day: dayOf(atMs), accepted, failed, cached, pages });
}

/** Returns the day of a time, UTC. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Lists the days of a period that have documents, oldest first; both ends included. */
export function* listUsageDays(organisationId: string, fromDay: string, toDay: string): Unit<UsageDay[]> {
  return yield* all<UsageDay>(
    `SELECT day, accepted, failed, cached, pages FROM usage_day
     WHERE organisation_id = :organisationId AND day >= :fromDay AND day <= :toDay ORDER BY day`,
    { organisationId, fromDay, toDay },
  );
}
