import { parseDurationMs } from './duration.js';
import { parseRfc3339 } from './time.js';

export const MOMENT_IN_WORDS = 'a duration like 2h or 7d, a date, or an RFC 3339 time';

/**
 * Parses what people type for a moment to Unix milliseconds: a duration before or after `nowMs`, a date (its first moment,
 * UTC), or an RFC 3339 time. Undefined for anything else, a bare number too: its unit is not clear.
 */
export function parseMoment(text: string, nowMs: number, direction: 'ago' | 'ahead'): number | undefined {
  const trimmed = text.trim();
  const durationMs = /[a-z]$/.test(trimmed) ? parseDurationMs(trimmed) : undefined;
  if (durationMs !== undefined) return direction === 'ago' ? nowMs - durationMs : nowMs + durationMs;
  return parseRfc3339(/^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? `${trimmed}T00:00:00Z` : trimmed);
}
