import { readPages } from '../../api/catalog/check-arguments.js';
import type { CatalogFunction } from '../../api/catalog/read-catalog.js';
import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findMissingPages } from '../../contract/page-ranges.js';
import { makeOneLine } from '../../contract/visible.js';
import { countPages } from '../../io/input/count-pages.js';
import type { ListedInput, Listing } from '../../io/input/listed-input.js';
import { openInput } from '../../io/input/open-input.js';
import { acceptsType, describeType, sniffType } from '../../io/input/sniff-type.js';
import { fileOfSeries, type OutputFile } from '../../io/output/output-file.js';
import type { Cell } from '../../io/output/table.js';
import {
  chooseToJoin,
  fingerprintOf,
  isFinished,
  type Submission,
  type SubmissionRecord,
  statusOf,
} from '../../ledger/record.js';
import { combineExitCodes } from '../../submission-lifecycle/combine-exit-codes.js';
import type { ExtractArguments } from './arguments.js';
import type { FindFunction } from './function.js';
import { isOneOfSeveral, loadSkippedLines } from './plan.js';

export interface DryRunPlan extends ExtractArguments {
  inputs: ListedInput[];
  skipped: Listing['skipped'];
  existingCount: number;
  /** One for each input, or none. */
  files: readonly OutputFile[];
  functionId: string;
  /** Starts no service. */
  findFunction: FindFunction;
  isFresh: boolean;
}

/** The plan for one input. With --json it is one line of output. */
interface InputPlan {
  input: string;
  dryRun: true;
  function: string;
  args: Record<string, unknown>;
  /** Found by the content; null when that shows none. */
  type: string | null;
  sizeBytes: number;
  sha256: string;
  /** Null when only reading the whole document would tell. */
  pageCount: number | null;
  /** Reasons for which the service would refuse it. */
  violations: Array<{ code: string; message: string }>;
  action: 'send' | 'join' | 'resend';
  /** An equal submission: the unfinished one that would be joined, or else the newest. */
  twin?: { input: string; jobId: string | null; status: string; createdAt: string };
  /** The command's first input with the same bytes. */
  sameAs?: string;
  output?: string;
}

/** Prints what would be sent: type, size, pages if known, refusals, and what was sent before. Sends nothing. */
export async function dryRun(context: Context, plan: DryRunPlan): Promise<ExitCode> {
  const { output, io } = context;
  const entry = await plan.findFunction();
  const [serverId, profile] = [await context.serverId(), (await context.settings()).profile.value];
  const known = byFingerprint(await (await context.ledger()).list());
  const seen = new Map<string, string>();
  const codes: ExitCode[] = [];
  const rows: Cell[][] = [];
  const compact = isOneOfSeveral(plan, output);
  const skippedLines = await loadSkippedLines(plan, output, compact);
  for (const [index, item] of plan.inputs.entries()) {
    await skippedLines?.printBefore(index);
    try {
      if (item.error !== undefined) throw item.error;
      const found = await planInput(context, plan, { item, entry, serverId, profile, known, seen });
      const file = plan.files[index];
      const planned = file === undefined ? found : { ...found, output: fileOfSeries(file, '*').name };
      if (output.isJson) await output.json(planned, { compact });
      else rows.push(describe(planned));
      codes.push(EXIT.ok);
    } catch (error) {
      if (!(error instanceof OcrError)) throw error;
      codes.push(error.exitCode);
      await context.report(error, { input: item.input, compact });
    }
    if (io.stdout.isClosed) break;
  }
  await skippedLines?.printBefore();
  if (!output.isJson) await output.table(['Input', 'Type', 'Bytes', 'Pages', 'What would be done'], rows);
  return codes.length === 0 && plan.existingCount === 0 ? EXIT.usage : combineExitCodes(codes);
}

/** Earlier submissions by fingerprint, newest first. */
type KnownSubmissions = ReadonlyMap<string, readonly SubmissionRecord[]>;

function byFingerprint(records: readonly SubmissionRecord[]): KnownSubmissions {
  const known = new Map<string, SubmissionRecord[]>();
  for (const record of records) {
    const equals = known.get(record.fingerprint);
    if (equals === undefined) known.set(record.fingerprint, [record]);
    else equals.push(record);
  }
  return known;
}

/** Finds the unfinished equal submission that would be joined, or else the newest that has ended. */
function findDuplicate(known: KnownSubmissions, submission: Submission): SubmissionRecord | undefined {
  const equals = known.get(fingerprintOf(submission)) ?? [];
  const unfinished = equals.filter((record) => !isFinished(record));
  return chooseToJoin(unfinished, submission.profile) ?? equals.find(isFinished);
}

interface PlanContext {
  item: ListedInput;
  entry: CatalogFunction | undefined;
  serverId: string;
  profile: string;
  known: KnownSubmissions;
  /** The first input with these bytes, by SHA-256. */
  seen: Map<string, string>;
}

async function planInput(context: Context, plan: DryRunPlan, planContext: PlanContext): Promise<InputPlan> {
  const { input } = planContext.item;
  const { io, signal } = context;
  const file = await openInput(planContext.item, { stdin: io.stdin, signal });
  try {
    const type = await sniffType(file.path);
    const typeName = (await describeType(file.path)) ?? type;
    const pageCount = await countPages(file.path, type);
    const submission = {
      input: { name: input, sha256: file.sha256, sizeBytes: file.sizeBytes },
      function: plan.functionId,
      args: plan.recordedArgs,
      serverId: planContext.serverId,
      profile: planContext.profile,
    };
    const duplicate = findDuplicate(planContext.known, submission);
    const sameAs = planContext.seen.get(file.sha256);
    if (sameAs === undefined) planContext.seen.set(file.sha256, input);
    return {
      input,
      dryRun: true,
      function: plan.functionId,
      args: plan.recordedArgs,
      type: type ?? null,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      pageCount: pageCount ?? null,
      violations: findViolations(plan, { entry: planContext.entry, type, typeName, pageCount }),
      action: actionOf(duplicate, plan.isFresh),
      ...(duplicate === undefined ? {} : { twin: describeDuplicate(duplicate) }),
      ...(sameAs === undefined ? {} : { sameAs }),
    };
  } finally {
    await file.dispose();
  }
}

interface InspectedInput {
  entry: CatalogFunction | undefined;
  type: string | undefined;
  /** The name of a type that services do not read, else `type`. */
  typeName: string | undefined;
  pageCount: number | undefined;
}

function findViolations(
  { functionId, args }: DryRunPlan,
  { entry, type, typeName, pageCount }: InspectedInput,
): InputPlan['violations'] {
  const violations: InputPlan['violations'] = [];
  if (entry?.included === false) {
    violations.push({ code: 'FORBIDDEN', message: `the key does not include ${functionId}` });
  }
  if (entry?.acceptedTypes !== undefined && !acceptsType(entry.acceptedTypes, type)) {
    const message = `${functionId} does not accept ${typeName ?? 'this type of file'}`;
    violations.push({ code: 'UNSUPPORTED_MEDIA_TYPE', message });
  }
  if (entry?.pageCap !== undefined && pageCount !== undefined && pageCount > entry.pageCap) {
    const message = `${countOf(pageCount, 'page')}, and ${functionId} takes ${entry.pageCap}`;
    violations.push({ code: 'PAGE_LIMIT_EXCEEDED', message });
  }
  const pages = readPages(args, entry?.argsSchema);
  const missing = pages === undefined || pageCount === undefined ? undefined : findMissingPages(pages, pageCount);
  if (missing !== undefined) violations.push({ code: 'INVALID_ARGS', message: missing });
  return violations;
}

function actionOf(duplicate: SubmissionRecord | undefined, isFresh: boolean): InputPlan['action'] {
  if (isFresh || duplicate === undefined || isFinished(duplicate)) return 'send';
  return duplicate.jobId === undefined ? 'resend' : 'join';
}

function describeDuplicate(record: SubmissionRecord): NonNullable<InputPlan['twin']> {
  const { input, jobId, createdAt } = record;
  return { input: input.name, jobId: jobId ?? null, status: statusOf(record), createdAt };
}

function describe(plan: InputPlan): Cell[] {
  const { input, type, sizeBytes, pageCount, violations, twin, sameAs, output } = plan;
  const words: string[] = [];
  if (plan.action === 'join') words.push(`join the unfinished job ${twin?.jobId}`);
  else if (plan.action === 'resend') words.push('send again what was interrupted');
  else words.push('send');
  if (violations.length > 0) words.push(`would be refused: ${violations.map(({ message }) => message).join('; ')}`);
  if (plan.action === 'send' && twin !== undefined) words.push(`sent before, ${twin.createdAt}, ${twin.status}`);
  if (sameAs !== undefined) words.push(`same bytes as ${makeOneLine(sameAs)}`);
  if (output !== undefined) words.push(`to ${makeOneLine(output)}`);
  const pages = pageCount === null ? '?' : String(pageCount);
  return [{ path: input }, type ?? 'unknown', String(sizeBytes), pages, { prose: words.join(', ') }];
}
