import type { Context } from '../../context.js';
import { type ServiceFlags, serviceFlags } from '../../contract/command-words.js';
import { isTerminal } from '../../contract/envelopes.js';
import { foldName } from '../../contract/fold-name.js';
import { explainEmptyList } from '../../io/messages/empty-list.js';
import { ageCell } from '../../io/output/age-cell.js';
import { printFollowed } from '../../io/output/print-followed.js';
import type { Cell, Column } from '../../io/output/table.js';
import { hasFailed, type SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { isSelected } from '../../submission-lifecycle/choose-record.js';
import { refuseMistypedStatus } from '../../submission-lifecycle/refuse-mistyped-status.js';
import { type Card, cardOfRecord, redactCard } from './card.js';

export interface ListOptions {
  /** Unix milliseconds. */
  sinceMs?: number;
  /** A status, or an HTTP status. */
  status?: string;
  function?: string;
  failedOnly: boolean;
  limit?: number;
  input?: { namePart: string } | { sha256: string };
  /** True to go on with what is sent later. */
  isFollowing: boolean;
  redact: boolean;
}

const COLUMNS: readonly Column[] = [
  'Request',
  'Status',
  { name: 'HTTP', omitWhen: 'narrow' },
  { name: 'Function', omitWhen: 'narrow' },
  { name: 'Sent', omitWhen: 'narrow' },
  'Input',
  { name: 'Error', omitWhen: 'empty' },
];
/** Requests that a terminal shows unless `--limit` says how many: the rest would scroll the newest away. */
const MAX_ON_TERMINAL = 30;
/** Requests that are shown before the first new one. */
const MAX_FIRST = 10;
/** Commands that the advice prints; more would fill the screen. */
const MAX_COMMANDS = 10;
const REQUESTS = { one: 'request', start: 'Send a document: ocr extract <file>' } as const;

/** Lists what this machine sent, newest first, as its ledger knows it. No service is asked. */
export async function list(context: Context, given: ListOptions): Promise<void> {
  const { output } = context;
  const service = await context.activeService();
  const all = await (await context.ledger()).list();
  const records = all.filter((record) => isSelected(record, service));
  const { unknown, ...filter } = await readFunctionFilter(given.function, all);
  const options = { ...given, ...filter };
  const settings = await context.settings().catch(() => undefined);
  const toCard = (record: SubmissionRecord) => cardOfRecord(record, findServiceFlags(record, settings));
  const known = records.map(toCard);
  refuseMistypedStatus(options.status, known);
  const wanted = known.filter((card) => isWanted(card, options));
  if (options.isFollowing) {
    if (unknown !== undefined) output.note(unknown);
    const { follow } = await import('./follow.js');
    return await follow(context, {
      first: wanted.slice(0, Math.min(options.limit ?? MAX_FIRST, MAX_FIRST)),
      look: (found) =>
        found
          .filter((record) => isSelected(record, service))
          .map(toCard)
          .filter((card) => isWanted(card, options)),
      print: async (card) => {
        const shown = options.redact ? redactCard(card) : card;
        await printFollowed(output, shown, rowOf(shown, context.clock.now()));
      },
    });
  }
  const isForReading = context.io.stdout.isTerminal && !output.isJson;
  const cards = wanted.slice(0, options.limit ?? (isForReading ? MAX_ON_TERMINAL : undefined));
  const shown = options.redact ? cards.map(redactCard) : cards;
  if (output.isJson) return await output.json(shown);
  if (shown.length === 0) output.note(unknown ?? explainEmptyList(REQUESTS, known, options.status, service));
  else {
    const nowMs = context.clock.now();
    const rows = shown.map((card) => rowOf(card, nowMs));
    await output.table(COLUMNS, rows);
    if (isForReading && options.limit === undefined && cards.length < wanted.length)
      output.note(
        `The newest ${cards.length} of ${wanted.length} are shown; for all of them: --limit ${wanted.length}`,
      );
  }
  const interrupted = shown.filter(({ status }) => status === 'interrupted');
  if (interrupted.length > 0) for (const line of adviseOn(interrupted, context.flags)) output.note(line);
  const mayHaveChanged = ({ jobId, status, finishedAt }: Card) =>
    jobId !== null && finishedAt === null && !isTerminal(status ?? '');
  if (shown.some(mayHaveChanged))
    output.note('Jobs are shown as they were last heard of. Ask how far they are: ocr jobs');
}

/** Returns advice, line by line, on uploads that may or may not have arrived. */
function adviseOn(interrupted: readonly Card[], flags: ServiceFlags): string[] {
  const commands = [...new Set(interrupted.map(({ next }) => next ?? ''))];
  const isUnknown = interrupted.some(({ requestId }) => requestId === null);
  const idNote = isUnknown ? ', and the request id is known then' : '';
  const otherwise = `Or remove what got none from the record: ocr requests forget --interrupted${serviceFlags(flags)}`;
  if (interrupted.length === 1) {
    return [`An upload got no answer; the same command sends it again${idNote}: ${commands[0]}`, otherwise];
  }
  const shown = commands.slice(0, MAX_COMMANDS).map((command) => `  ${command}`);
  const others = commands.length - shown.length;
  if (others > 0)
    shown.push(`  and ${others} more: ocr requests list --status interrupted --json${serviceFlags(flags)}`);
  const what = `${interrupted.length} uploads got no answer; the same command sends each again${idNote}:`;
  return [what, ...shown, otherwise];
}

function isWanted(card: Card, { sinceMs, status, function: id, failedOnly, input }: ListOptions): boolean {
  if (input !== undefined && !isWantedInput(card.input, input)) return false;
  if (sinceMs !== undefined && Date.parse(card.createdAt ?? '') < sinceMs) return false;
  if (status !== undefined && card.status !== status && String(card.httpStatus) !== status) return false;
  if (id !== undefined && card.function !== id) return false;
  return !failedOnly || hasFailed(card);
}

function isWantedInput(
  { name, otherNames = [], sha256 }: Card['input'],
  wanted: NonNullable<ListOptions['input']>,
): boolean {
  if ('sha256' in wanted) return sha256?.startsWith(wanted.sha256) === true;
  return [name ?? '', ...otherNames].some((one) => foldName(one).includes(foldName(wanted.namePart)));
}

function rowOf({ requestId, status, httpStatus, input, error, ...card }: Card, nowMs: number): Cell[] {
  return [
    requestId ?? { whole: '', short: 'not known' },
    { state: status ?? '' },
    String(httpStatus ?? ''),
    card.function ?? '',
    ageCell(card.createdAt, nowMs),
    { path: [input.name ?? '', ...(input.otherNames ?? [])].join(', ') },
    error?.code ?? '',
  ];
}

/** The catalog is loaded for a filter alone. */
async function readFunctionFilter(
  name: string | undefined,
  records: readonly SubmissionRecord[],
): Promise<{ function?: string; unknown?: string }> {
  return name === undefined ? {} : (await import('../../functions/describe-functions.js')).readFilter(name, records);
}
