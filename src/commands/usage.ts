import type { Context } from '../context.js';
import { countOf } from '../contract/count-of.js';
import { formatDuration } from '../contract/duration.js';

/** Prints the organisation's plan and what is used of it. @throws OcrError UNSUPPORTED for a service that cannot tell */
export async function usage(context: Context): Promise<void> {
  const { output } = context;
  const body = await (await context.api()).getUsage();
  if (output.isJson) return await output.json(body);
  const [period, documents, rate] = [body.period, body.documents, body.rate].map(objectOf);
  // It reads what organisations sent: there is nothing to count.
  if (body.organisation === null)
    return await output.properties([
      ['Key', { prose: 'a support key: it belongs to no organisation and sends no documents' }],
      ['Rate', rate && describeRate(rate)],
    ]);
  await output.properties([
    ['Organisation', text(objectOf(body.organisation)?.name)],
    ['Plan', text(body.plan)],
    ['Subscription', text(body.subscription)],
    ['Period', { prose: period && `${text(period.start)} to ${text(period.end)}` }],
    ['Documents', documents && describeDocuments(documents)],
    ['Left', documents && (typeof documents.left === 'number' ? String(documents.left) : 'no limit')],
    ['Rate', rate && describeRate(rate)],
  ]);
}

function describeDocuments({ used, limit }: Json): string {
  return typeof limit === 'number' ? `${text(used)} of ${limit}` : `${text(used)}`;
}

function describeRate({ limit, windowMs }: Json): string {
  if (typeof limit !== 'number' || typeof windowMs !== 'number') return 'no limit';
  return `${countOf(limit, 'call')} in ${formatDuration(windowMs)}`;
}

type Json = Record<string, unknown>;

function objectOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
