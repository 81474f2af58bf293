import { None } from './data-table.js';

/** A point in time: UTC, until a script shows it in the reader's zone. */
export function Time({ ms }: { ms: number }) {
  const time = new Date(ms);
  const iso = time.toISOString();
  const year = time.getUTCFullYear() === new Date().getUTCFullYear() ? '' : ` ${time.getUTCFullYear()}`;
  return <time datetime={iso}>{`${iso.slice(8, 10)} ${MONTHS[time.getUTCMonth()]}${year} ${iso.slice(11, 19)}`}</time>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Renders a time, or a word where there is none. */
export function timeOr(ms: number | null, word: string) {
  return ms === null ? <None word={word} /> : <Time ms={ms} />;
}

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
];

/** Renders a duration: `850 ms`, `12.4 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const first = UNITS.findIndex((unit) => ms >= unit.ms);
  const { name, ms: size } = UNITS[first] as (typeof UNITS)[number];
  const next = UNITS[first + 1] ?? { name: 's', ms: 1_000 };
  const rest = Math.floor((ms % size) / next.ms);
  return `${Math.floor(ms / size)} ${name}${rest === 0 ? '' : ` ${rest} ${next.name}`}`;
}
