import type { UsageDay } from '../../../../store/usage-days.js';

export const DAY_MS = 86_400_000;

/** A day of the chart. */
export interface ChartDay extends UsageDay {
  /** Documents that count in the plan. */
  counted: number;
  /** True for the day that is not over, and for those after it. */
  isToday: boolean;
  isFuture: boolean;
}

/** Returns the day of a time, UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Fills the days between two times, both included, that have no documents. */
export function fillDays(days: readonly UsageDay[], fromMs: number, toMs: number, nowMs: number): ChartDay[] {
  const known = new Map(days.map((each) => [each.day, each]));
  const today = dayOf(nowMs);
  const last = dayOf(toMs);
  const filled: ChartDay[] = [];
  for (let ms = fromMs, day = dayOf(ms); day <= last; ms += DAY_MS, day = dayOf(ms)) {
    const found = known.get(day) ?? { day, accepted: 0, failed: 0, cached: 0, pages: 0 };
    filled.push({ ...found, counted: countedOf(found), isToday: day === today, isFuture: day > today });
  }
  return filled;
}

/** Returns the documents of a day that count; those that failed after the day was counted may be more. */
export function countedOf({ accepted, failed }: UsageDay): number {
  return Math.max(0, accepted - failed);
}

const DAY_NAME = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Renders a day: `26 Nov`. */
export function formatDay(day: string): string {
  return DAY_NAME.format(Date.parse(day));
}
