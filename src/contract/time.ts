const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Parses Unix seconds or an RFC 3339 time to Unix seconds; undefined for anything else. */
export function parseUnixSeconds(text: string): number | undefined {
  if (/^-?\d{1,12}(?:\.\d+)?$/.test(text)) return Number(text);
  const ms = parseRfc3339(text);
  return ms === undefined ? undefined : ms / 1000;
}

/** Formats Unix milliseconds as RFC 3339 UTC. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats Unix milliseconds in this machine's time zone: 14:05:10. */
export function formatClock(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Formats the age of an RFC 3339 time in English: `3 min. ago`. */
export function formatAge(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time);
  if (Number.isNaN(ms)) return time;
  const [unit, unitMs] = UNITS.find(([, unitMs]) => Math.abs(ms) >= unitMs) ?? UNITS[3];
  return new Intl.RelativeTimeFormat('en', { style: 'short' }).format(-Math.trunc(ms / unitMs), unit);
}

/** Formats a time like formatTime; null stays null. */
export function formatTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}

/** Parses an RFC 3339 time to Unix milliseconds; undefined for anything else. */
export function parseRfc3339(text: string): number | undefined {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (day === undefined || Number(day) > daysInMonth(Number(year), Number(month))) return undefined;
  const ms = Date.parse(text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** Days of a month: `Date.parse` reads the 30th of February as the 2nd of March. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
