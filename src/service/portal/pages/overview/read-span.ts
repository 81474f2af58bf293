import type { Period } from '../../../intake/subscription.js';
import { DAY_MS } from './days.js';

/** Spans of the chart; the first is the one without a choice. */
export const SPANS = [
  { value: 'plan', label: 'Plan period', days: 0 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const;

/** Days of the chart, both ends included. */
export interface Span {
  value: (typeof SPANS)[number]['value'];
  label: string;
  fromMs: number;
  toMs: number;
}

/** Reads the span of an address; an unknown one is the period of the plan. */
export function readSpan(params: URLSearchParams, period: Period, nowMs: number): Span {
  const wanted = params.get('period');
  const { value, label, days } = SPANS.find((span) => span.value === wanted) ?? SPANS[0];
  if (days > 0) return { value, label, fromMs: nowMs - (days - 1) * DAY_MS, toMs: nowMs };
  return { value, label, fromMs: period.startsAtMs, toMs: period.endsAtMs - 1 };
}
