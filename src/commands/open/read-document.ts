import { basename } from 'node:path';
import { createPace } from '../../api/http/pace.js';
import type { Context } from '../../context.js';
import { type ServiceFlags, serviceFlags } from '../../contract/command-words.js';
import { busy, type DocumentState, heldUp } from '../../contract/document-state.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import type { Completed } from '../../contract/outcome.js';
import { formatClock } from '../../contract/time.js';
import { makeOneLine } from '../../contract/visible.js';
import { adviseOnType } from '../../io/input/advise-on-type.js';
import { countPages } from '../../io/input/count-pages.js';
import type { InputFile } from '../../io/input/input-file.js';
import { openInput } from '../../io/input/open-input.js';
import { sniffType } from '../../io/input/sniff-type.js';
import { nameInput } from '../../io/messages/error-text.js';
import { adviseOn } from '../../submission-lifecycle/add-hint.js';
import { settle } from '../../submission-lifecycle/note-state.js';
import {
  recordDocument,
  type SubmitOptions,
  type SubmittedDocument,
  submit,
} from '../../submission-lifecycle/submit.js';
import { followToEnd } from './follow-to-end.js';
import type { OpenOptions } from './options.js';
import { listOf, objectOf } from './read-values.js';
import { MAX_PAGES } from './select-shown.js';
import { referencesOf, type Source } from './source.js';

const LAYOUT = 'LAYOUT_ANALYSIS';
const TABLES = 'TABLE_EXTRACTION';

type OnState = (state: DocumentState) => void;

/** The person who sees how far the document is, and may be asked for its password. */
export interface Person {
  onState: OnState;
  askPassword: ((question: string) => Promise<string>) | undefined;
}

/**
 * Reads a document with its layout, by the service in use. It is sent as `ocr extract -f layout` sends it: an unfinished job
 * of the same command is joined, and a cached answer is used. @throws OcrError
 */
export async function readDocument(context: Context, options: OpenOptions, person: Person): Promise<Source> {
  const { target } = options;
  const { onState } = person;
  const { io, signal } = context;
  const pipeName = target === '-' ? { pipeName: 'stdin' } : {};
  onState(busy('opening'));
  const file = await openInput({ input: target, ...pipeName }, { stdin: io.stdin, signal });
  try {
    const chosen = await chooseArguments(context, options, file);
    const { layout, args } = await readLayout(context, options, { args: chosen, file, person });
    const tables = isTableMissing(layout.completed.body.result)
      ? await run(context, options, { functionId: TABLES, args, file, onState })
      : undefined;
    return {
      name: target === '-' ? 'stdin' : target,
      functionId: LAYOUT,
      result: tables === undefined ? layout.completed.body.result : addTables(layout, tables),
      ...referencesOf(layout.completed.body, layout.record),
      key: file.sha256,
      path: file.path,
      ...(typeof args.password === 'string' ? { password: args.password } : {}),
      notes: [],
      async settle() {
        for (const { record, completed } of [layout, tables].filter((one) => one !== undefined)) {
          await settle(await context.ledger(), record, completed);
        }
      },
      dispose: async () => await file.dispose(),
    };
  } catch (error) {
    await file.dispose();
    throw error;
  }
}

/** Times that a password is asked for, as `sudo` does. */
const MAX_QUESTIONS = 3;

/** Reads the layout. The password of a locked document is asked for, until it opens; the arguments then have it. */
async function readLayout(
  context: Context,
  options: OpenOptions,
  { args, file, person }: { args: Record<string, unknown>; file: InputFile; person: Person },
): Promise<{ layout: Read; args: Record<string, unknown> }> {
  const { onState, askPassword } = person;
  let tried = args;
  for (let asked = 0; ; asked++) {
    try {
      return { layout: await run(context, options, { functionId: LAYOUT, args: tried, file, onState }), args: tried };
    } catch (error) {
      if (!(error instanceof OcrError) || !isLocked(error)) throw error;
      if (askPassword === undefined || asked === MAX_QUESTIONS) throw error;
      const again = asked === 0 ? '' : 'It does not open with that. ';
      tried = { ...args, password: await askPassword(`${again}Password of ${makeOneLine(basename(options.target))}`) };
    }
  }
}

const isLocked = ({ code, message }: OcrError): boolean =>
  code === 'INVALID_DOCUMENT' && /encrypt|password/i.test(message);

/** Limits a long document to its first pages, unless the command names others: a page of the browser holds no book. */
async function chooseArguments(
  context: Context,
  { pages, languages }: OpenOptions,
  { path }: InputFile,
): Promise<Record<string, unknown>> {
  const count = pages === undefined ? await countPages(path, await sniffType(path)) : undefined;
  const chosen = pages ?? (count !== undefined && count > MAX_PAGES ? `1-${MAX_PAGES}` : undefined);
  const named = languages ?? (await context.settings()).languages.value;
  const { parseLanguages } = await import('../../contract/languages.js');
  return {
    ...(chosen === undefined ? {} : { pages: chosen }),
    ...(named === '' ? {} : { languages: parseLanguages(named) }),
  };
}

interface Reading {
  functionId: string;
  args: Record<string, unknown>;
  file: InputFile;
  onState: OnState;
}

type Read = Pick<SubmittedDocument, 'record'> & { completed: Completed };

async function run(context: Context, options: OpenOptions, reading: Reading): Promise<Read> {
  const { flags, signal, clock, output } = context;
  const { functionId, args, file, onState } = reading;
  const [api, ledger, settings] = await Promise.all([context.api(), context.ledger(), context.settings()]);
  const pace = createPace({ clock, signal, onStop: () => {} });
  const submission: SubmitOptions = {
    file,
    input: options.target === '-' ? 'stdin' : options.target,
    function: functionId,
    args,
    // A secret is recorded as a name without a value.
    recordedArgs: args.password === undefined ? args : { ...args, password: null },
    profile: settings.profile.value,
    command: 'open',
    isFresh: options.isFresh,
    isAsync: false,
    pace: {
      ...pace,
      async waitTurn() {
        await pace.waitTurn((untilMs) => onState(heldUp(`waiting for the rate limit until ${formatClock(untilMs)}`)));
        onState(busy('sending'));
      },
    },
    onRetry: ({ message }, untilMs) => onState(heldUp(`sending again at ${formatClock(untilMs)}: ${message}`)),
  };
  const waitTimeoutMs = options.waitTimeoutMs ?? settings.waitTimeoutMs.value;
  const attempt = async (how: SubmitOptions): Promise<Read> => {
    const submitted = await submit(api, ledger, await recordDocument(api, ledger, how), how);
    const { record, isJoined } = submitted;
    try {
      return { record, completed: await followToEnd(context, { ...submitted, api, waitTimeoutMs, onState }) };
    } catch (error) {
      // The job of an earlier command is gone, perhaps with its service's store; the document is still here.
      if (!isJoined || !(error instanceof OcrError) || !isGone(error)) throw error;
      return await attempt({ ...how, isFresh: true });
    }
  };
  try {
    return await attempt(submission);
  } catch (error) {
    if (!(error instanceof OcrError)) throw error;
    const advised = await adviseOnType(error, { path: file.path, input: submission.input, isJson: output.isJson });
    const named = nameInput(advised, submission.input);
    const hint = named.hint ?? adviseOnRefusal(named, functionId, flags);
    throw hint === undefined ? named : named.with({ hint });
  }
}

function adviseOnRefusal(refusal: OcrError, functionId: string, flags: ServiceFlags): string | undefined {
  if (isLocked(refusal)) return 'On a terminal this command asks for the password of a file';
  const { code, message, status } = refusal;
  if (status === 404) {
    return `A page is made from ${functionId}. What the service has: ocr functions list${serviceFlags(flags)}`;
  }
  return adviseOn(code, message);
}

/** True where a layout has a table without its cells: other services may leave them to TABLE_EXTRACTION. */
function isTableMissing(result: unknown): boolean {
  return listOf(objectOf(result).pages).some(({ blocks }) => listOf(blocks).some(isWithoutCells));
}

function isWithoutCells({ kind, table }: Record<string, unknown>): boolean {
  return kind === 'table' && listOf(objectOf(table).cells).length === 0;
}

/** Returns the layout with the cells of the tables, page by page in their order. */
function addTables(layout: Read, tables: Read): unknown {
  const found = listOf(objectOf(tables.completed.body.result).tables);
  const result = objectOf(layout.completed.body.result);
  const pages = listOf(result.pages).map((page, index) => {
    const left = found.filter((table) => table.page === (page.page ?? index + 1));
    const blocks = listOf(page.blocks).map((block) =>
      isWithoutCells(block) ? { ...block, table: left.shift() } : block,
    );
    return { ...page, blocks };
  });
  return { ...result, pages };
}
