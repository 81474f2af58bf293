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
