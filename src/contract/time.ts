const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Unix seconds from Unix seconds or an RFC 3339 time; undefined for anything else. */
export function parseUnixSeconds(text: string): number | undefined {
  if (/^-?\d{1,12}(?:\.\d+)?$/.test(text)) return Number(text);
  const ms = parseRfc3339(text);
  return ms === undefined ? undefined : ms / 1000;
}

/** RFC 3339 UTC of Unix milliseconds. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same where there may be none. */
export function formatTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}

/** Unix milliseconds; undefined for what is no RFC 3339 time. */
export function parseRfc3339(text: string): number | undefined {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (day === undefined || Number(day) > daysInMonth(Number(year), Number(month))) return undefined;
  const ms = Date.parse(text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
