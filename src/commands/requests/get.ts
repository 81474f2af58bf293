import type { Context } from '../../context.js';
import { quote } from '../../contract/command-words.js';
import { countOf } from '../../contract/count-of.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { nameWithId } from '../../io/output/name-with-id.js';
import type { Property } from '../../io/output/output.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { adviseOn } from '../../submission-lifecycle/add-hint.js';
import { findSubmission, isSelected } from '../../submission-lifecycle/choose-record.js';
import { type Card, cardOfEntry, cardOfRecord, redactCard } from './card.js';

export interface GetOptions {
  requestId: string;
  redact: boolean;
}

/** Prints one request for support: from this machine's ledger, or from a service that has a request log. */
export async function get(context: Context, { requestId, redact }: GetOptions): Promise<void> {
  const { output } = context;
  // The id of a request begins with req_.
  if (/^job_./i.test(requestId)) {
    throw new OcrError('USAGE', `${requestId} is a job, not a request`, { hint: `ocr jobs get ${quote(requestId)}` });
  }
  const found = await find(context, requestId);
  const card = redact ? redactCard(found) : found;
  if (output.isJson) return await output.json(card);
  await output.properties(rowsOf(card));
}

/** Asks the ledger first, which needs no network; but a profile that did not send the request may be told more: support's. */
async function find(context: Context, requestId: string): Promise<Card> {
  const service = await context.activeService();
  const record = findSubmission(await context.ledger(), 'requestId', requestId, service);
  if (record === undefined) return await findAtService(context, requestId);
  if (!isSelected(record, service)) {
    try {
      return await findAtService(context, record.requestId ?? requestId);
    } catch (error) {
      if (!(error instanceof OcrError)) throw error;
      if (!isGone(error)) context.output.note(`The service was not heard: ${error.message}`);
    }
  }
  const settings = await context.settings().catch(() => undefined);
  return cardOfRecord(record, findServiceFlags(record, settings));
}

async function findAtService(context: Context, requestId: string): Promise<Card> {
  const api = await context.api();
  const server = await context.serverId();
  const service = server.startsWith('local:') ? 'the service on this machine' : `the service at ${server}`;
  const entry = await api.getRequest(requestId).catch((error: unknown) => {
    if (error instanceof OcrError && isGone(error)) throw unknown(requestId, `nor does ${service}`, error);
    throw error;
  });
  if (entry === undefined) throw unknown(requestId, `and ${service} has no request log to ask`);
  return cardOfEntry(requestId, entry, server, context.flags);
}

function unknown(requestId: string, service: string, cause?: unknown): OcrError {
  return new OcrError('NOT_FOUND', `This machine has no record of request ${requestId}, ${service}`, {
    status: 404,
    hint: /^[0-9a-f]{64}$/i.test(requestId)
      ? `This is a SHA-256: ocr requests list --input sha256:${requestId}`
      : 'Ask another service with --profile or --base-url, or list what this machine sent: ocr requests list',
    cause,
  });
}

/** True when the status may have changed since the service last reported it. */
function isOld({ status, statusAt, finishedAt }: Card): boolean {
  return status !== null && statusAt !== null && finishedAt === null;
}

function rowsOf(card: Card): Property[] {
  const { input, error, args } = card;
  const text = (value: string | number | null | undefined, unit = '') => (value == null ? null : `${value}${unit}`);
  const yesOrNo = (value: boolean | null | undefined) => (value == null ? null : value ? 'yes' : 'no');
  return [
    ['Request', card.requestId],
    [
      'Known from',
      card.source === 'ledger' ? 'the record of this machine' : 'the service; it is not in the record of this machine',
    ],
    ['Organisation', { line: nameWithId(card.organisation?.name ?? null, card.organisation?.id ?? null) }],
    ['Sent', card.createdAt],
    ['Ended', card.finishedAt],
    ['Command', card.command],
    ['Input', { line: input.name }],
    ['Also sent as', { line: input.otherNames?.join(', ') }],
    ['Size', input.sizeBytes === null ? null : countOf(input.sizeBytes, 'byte')],
    ['SHA-256', input.sha256],
    ['Function', card.function],
    ['Arguments', args === null || Object.keys(args).length === 0 ? null : JSON.stringify(args)],
    ['Profile', card.profile],
    ['Server', card.server],
    ['HTTP status', text(card.httpStatus)],
    ['Provider', card.provider],
    ['Pages', text(card.pageCount)],
    ['Cached', yesOrNo(card.cached)],
    ['Processing', text(card.durationMs, ' ms')],
    ['Elapsed', text(card.elapsedMs, ' ms')],
    ['Job', card.jobId],
    ['Status', { state: isOld(card) ? `${card.status} as of ${card.statusAt}` : card.status }],
    ['Error', text(error?.code)],
    ['Message', { prose: error?.message }],
    ['Retryable', yesOrNo(error?.retryable)],
    ['Next', card.next ?? { prose: adviseOn(error?.code ?? null, error?.message ?? null) }],
  ];
}
