import type { Store } from './store.js';
import { one, steadyNow, type Unit } from './unit.js';

/** The calls of an organisation in its present window, and the window's end on the store's steady clock. */
export interface RateWindow {
  count: number;
  endsAtMs: number;
}

/** Counts a call. A window begins with the first call after the last window. */
export async function countInWindow(store: Store, organisationId: string, windowMs: number): Promise<RateWindow> {
  return await store.write(() => count(organisationId, windowMs), { isSynced: false });
}

function* count(organisationId: string, windowMs: number): Unit<RateWindow> {
  const nowMs = yield* steadyNow();
  const window = yield* one<RateWindow>(
    `INSERT INTO rate_window (organisation_id, calls, ends_at) VALUES (:organisationId, 1, :endsAtMs)
     ON CONFLICT (organisation_id) DO UPDATE SET
       calls = CASE WHEN rate_window.ends_at <= :nowMs THEN 1 ELSE rate_window.calls + 1 END,
       ends_at = CASE WHEN rate_window.ends_at <= :nowMs THEN excluded.ends_at ELSE rate_window.ends_at END
     RETURNING calls AS count, ends_at AS "endsAtMs"`,
    { organisationId, nowMs, endsAtMs: nowMs + windowMs },
  );
  return window ?? { count: 1, endsAtMs: nowMs + windowMs };
}
