import type { BoxView } from './document-view.js';

/** Readers of results: those of other services hold whatever they like. */

export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a whole number within bounds, else the one that stands for it. */
export function wholeNumberOf(value: unknown, otherwise: number, max = Number.MAX_SAFE_INTEGER): number {
  return Number.isSafeInteger(value) && Number(value) >= 1 ? Math.min(Number(value), max) : otherwise;
}

/** Returns a share of 0-1; undefined for anything else. */
export function shareOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}

export function boxOf(value: unknown): BoxView | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [x0, y0, x1, y1] = value.map(shareOf);
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined;
  return x1 > x0 && y1 > y0 ? { x0, y0, x1, y1 } : undefined;
}
