import { formatAge } from '../../contract/time.js';
import type { Cell } from './table.js';

/** An RFC 3339 time in a list: on a terminal how long ago it was, in a pipe whole. Where there is none, `none`. */
export function ageCell(time: string | null, nowMs: number, none = ''): Cell {
  return time === null ? none : { whole: time, short: formatAge(time, nowMs) };
}
