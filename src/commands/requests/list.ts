import type { Context } from '../../context.js';
import { isTerminal } from '../../contract/envelopes.js';
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
  else {
    const columns = ['Request', 'Status', 'HTTP', 'Function', 'Sent', 'Input', 'Error'];
    await output.table(columns, shown.map(rowOf));
  }
  const interrupted = shown.filter(({ status }) => status === 'interrupted');
  if (interrupted[0] !== undefined) {
    const [what, each] =
      interrupted.length === 1 ? ['An upload was', 'it'] : [`${interrupted.length} uploads were`, 'each'];
    output.note(`${what} interrupted; the same command sends ${each} again: ${interrupted[0].next}`);
  }
  const isFollowed = ({ jobId, status, finishedAt }: Card) =>
    jobId !== null && finishedAt === null && !isTerminal(status ?? '');
  if (shown.some(isFollowed)) output.note('Jobs are shown as they were last heard of. Ask how far they are: ocr jobs');
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
