import type { Context } from '../../context.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { type Card, cardOfRecord, redactCard } from './card.js';

export interface ListOptions {
  /** Unix milliseconds. */
  sinceMs?: number;
  /** A status, or an HTTP status. */
  status?: string;
  function?: string;
  failedOnly: boolean;
  redact: boolean;
}

/** What this machine sent, newest first, as its ledger knows it; no service is asked. */
export async function list(context: Context, options: ListOptions): Promise<void> {
  const { output } = context;
  const records = await (await context.ledger()).list();
  const settings = await context.settings().catch(() => undefined);
  const cards = records
    .map((record) => cardOfRecord(record, findServiceFlags(record, settings)))
    .filter((card) => isWanted(card, options));
  const shown = options.redact ? cards.map(redactCard) : cards;
  if (output.isJson) return await output.json(shown);
  if (shown.length === 0) output.note('No such requests. Send a document: ocr extract <file>');
  else await output.table(['Request', 'Status', 'HTTP', 'Function', 'Sent', 'Input', 'Error'], shown.map(rowOf));
}

function isWanted(card: Card, { sinceMs, status, function: id, failedOnly }: ListOptions): boolean {
  if (sinceMs !== undefined && Date.parse(card.createdAt ?? '') < sinceMs) return false;
  if (status !== undefined && card.status !== status && String(card.httpStatus) !== status) return false;
  if (id !== undefined && card.function !== id) return false;
  return !failedOnly || card.error !== null;
}

function rowOf({ requestId, status, httpStatus, createdAt, input, error, ...card }: Card): string[] {
  const cells = [requestId, status, httpStatus, card.function, createdAt, input.name, error?.code];
  return cells.map((cell) => String(cell ?? ''));
}
