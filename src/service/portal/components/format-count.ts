import type { BoundedCount } from '../../../store/bounded-count.js';

/** Renders a count that may have ended at a bound: `10,000+`. */
export function formatCount({ n, isAtLeast }: BoundedCount): string {
  return `${n.toLocaleString('en')}${isAtLeast ? '+' : ''}`;
}

/** Renders a size in bytes: `84,210 bytes`. */
export function formatBytes(bytes: number): string {
  return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
}
