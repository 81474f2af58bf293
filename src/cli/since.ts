import { parseDurationMs } from '../contract/duration.js';
import { parseRfc3339 } from '../contract/time.js';
import { InvalidArgumentError } from './commander.js';

/** What `--since` takes, as Unix milliseconds. */
export function since(text: string): number {
  const durationMs = /[a-z]$/.test(text) ? parseDurationMs(text) : undefined;
  const ms =
    durationMs === undefined ? parseRfc3339(text.includes('T') ? text : `${text}T00:00:00Z`) : Date.now() - durationMs;
  if (ms === undefined) throw new InvalidArgumentError('Examples: 24h, 7d, 2026-01-31, 2026-01-31T12:00:00Z.');
  return ms;
}
