/** Milliseconds of each unit. The unit of a bare number differs from reader to reader. */
export const DURATION_UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90`, `90s`, `500ms`, `5m`, `1h`, `2d`; a bare number counts seconds. Undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * (DURATION_UNITS_MS[match[2] ?? 's'] ?? 1_000));
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 2 * 3_600_000) return `${Math.round(ms / 60_000)} min`;
  const [unitMs, unit] = ms < 2 * 86_400_000 ? [3_600_000, 'h'] : [86_400_000, 'days'];
  return `${Math.round((ms * 10) / unitMs) / 10} ${unit}`;
}

/** Formats a time that has passed: 0:42, 12:05, 1:02:03. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** Formats an estimate no more exactly than it is: 5 s, 40 s, 3 min, 2 h. */
export function formatRoughly(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `${Math.round(seconds / 10) * 10} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
