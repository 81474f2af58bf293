import { stat } from 'node:fs/promises';
import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import type { ListedInput, Listing } from '../../io/input/listed-input.js';
import type { OutputFile } from '../../io/output/output-file.js';
import type { SubmissionRecord } from '../../ledger/record.js';

/** Inputs with their output files, and what is skipped between them. */
interface Work extends AnsweredRequest {
  inputs: ListedInput[];
  files: OutputFile[];
  skipped: Listing['skipped'];
}

/** Leaves out inputs whose output is newer than they are. Each gets a line with --json, as a skipped file does. */
export async function skipExisting(
  { inputs, files, skipped, ...request }: Work,
  context: Context,
): Promise<Omit<Work, keyof AnsweredRequest> & { existingCount: number }> {
  const { output, io } = context;
  const findExisting = createExistingFinder(context, request);
  const kept: Omit<Work, keyof AnsweredRequest> = { inputs: [], files: [], skipped: [] };
  const counts = { [NEWER_OUTPUT]: 0, [NO_OUTPUT]: 0 };
  const waiting = [...skipped];
  const takeSkipped = (position: number) => {
    while (waiting[0] !== undefined && waiting[0].position <= position) {
      kept.skipped.push({ ...(waiting.shift() as Listing['skipped'][number]), position: kept.inputs.length });
    }
  };
  for (const [index, item] of inputs.entries()) {
    takeSkipped(index);
    const file = files[index];
    const existing = file === undefined ? undefined : await findExisting(item, file);
    if (existing !== undefined) {
      kept.skipped.push({ input: item.input, skipped: existing, position: kept.inputs.length });
      counts[existing]++;
    } else {
      kept.inputs.push(item);
      if (file !== undefined) kept.files.push(file);
    }
  }
  takeSkipped(inputs.length);
  // The summary on a terminal counts them.
  const isSummarised = io.stderr.isTerminal && kept.inputs.length + kept.skipped.length > 1;
  const existingCount = counts[NEWER_OUTPUT] + counts[NO_OUTPUT];
  if (existingCount > 0 && !isSummarised) output.note(`Skipped ${describeCounts(counts)}`);
  return { ...kept, existingCount };
}

/** The reasons that leave an input out, as its line with --json says them. */
const NEWER_OUTPUT = 'existing output';
const NO_OUTPUT = 'nothing to write';
type Reason = typeof NEWER_OUTPUT | typeof NO_OUTPUT;

function describeCounts(counts: Record<Reason, number>): string {
  const newer = `${countOf(counts[NEWER_OUTPUT], 'input')} with an output that is newer`;
  const none = `${countOf(counts[NO_OUTPUT], 'input')} whose result had nothing to write`;
  if (counts[NO_OUTPUT] === 0) return newer;
  return counts[NEWER_OUTPUT] === 0 ? none : `${newer}, and ${none}`;
}

export interface AnsweredRequest {
  functionId: string;
  /** The arguments without the values of secrets. */
  recordedArgs: Record<string, unknown>;
  /** The confidence below which a document fails. */
  minConfidence?: number | undefined;
}

export type FindExisting = (item: ListedInput, file: OutputFile) => Promise<Reason | undefined>;

/**
 * Returns what finds out why an input need not be sent: its output is newer, or the same request had nothing to write. An
 * output whose document failed with a low confidence does not count.
 */
export function createExistingFinder(context: Context, request: AnsweredRequest): FindExisting {
  let known: Promise<KnownResults> | undefined;
  const know = () => {
    known ??= readKnownResults(context, request.minConfidence);
    return known;
  };
  async function hadNothingToWrite(item: ListedInput): Promise<boolean> {
    const { withoutOutput } = await know();
    if (withoutOutput.size === 0) return false;
    return withoutOutput.has((await fingerprintOfInput(item, request, context)) ?? '');
  }
  async function failed(item: ListedInput): Promise<boolean> {
    if (request.minConfidence === undefined) return false;
    const { tooUncertain, sizes } = await know();
    // A file of another size is another document: most files need not be read.
    const found = await stat(item.input).catch(() => undefined);
    if (found === undefined || !sizes.has(found.size)) return false;
    return tooUncertain.has((await fingerprintOfInput(item, request, context)) ?? '');
  }
  return async (item, file) => {
    if (await hasNewerOutput(item, file)) return (await failed(item)) ? undefined : 'existing output';
    // Only a result of several files may have none.
    return file.series !== undefined && (await hadNothingToWrite(item)) ? 'nothing to write' : undefined;
  };
}

/** Fingerprints of requests whose results the ledger knows. */
interface KnownResults {
  withoutOutput: ReadonlySet<string>;
  /** Those whose newest result has a confidence that is too low. */
  tooUncertain: ReadonlySet<string>;
  /** Sizes of their documents, in bytes. */
  sizes: ReadonlySet<number>;
}

async function readKnownResults(context: Context, minConfidence: number | undefined): Promise<KnownResults> {
  const records = await (await context.ledger()).list();
  const newest = new Map<string, SubmissionRecord>();
  for (const record of records)
    if (record.status === 'completed' && !newest.has(record.fingerprint)) newest.set(record.fingerprint, record);
  const low = [...newest.values()].filter(({ meta }) => isBelow(meta?.confidence, minConfidence));
  return {
    withoutOutput: new Set(records.filter(({ wroteNothing }) => wroteNothing).map(({ fingerprint }) => fingerprint)),
    tooUncertain: new Set(low.map(({ fingerprint }) => fingerprint)),
    sizes: new Set(low.map(({ input }) => input.sizeBytes)),
  };
}

function isBelow(confidence: unknown, min: number | undefined): boolean {
  return min !== undefined && typeof confidence === 'number' && confidence < min;
}

/** Returns the fingerprint of the request that would be sent; undefined for a pipe and for a file that cannot be read. */
async function fingerprintOfInput(
  { input: path, pipeName, error }: ListedInput,
  { functionId, recordedArgs: args }: AnsweredRequest,
  context: Context,
): Promise<string | undefined> {
  if (pipeName !== undefined || error !== undefined) return undefined;
  const [{ openFile }, { fingerprintOf }] = await Promise.all([
    import('../../io/input/input-file.js'),
    import('../../ledger/record.js'),
  ]);
  const file = await openFile(path, context.signal).catch(() => undefined);
  if (file === undefined) return undefined;
  const input = { name: path, sha256: file.sha256, sizeBytes: file.sizeBytes };
  const [serverId, settings] = [await context.serverId(), await context.settings()];
  const profile = settings.profile.value;
  return fingerprintOf({ input, function: functionId, args, serverId, profile });
}

/** False for a pipe, which has no age, and for an input that cannot be sent. */
async function hasNewerOutput({ input, pipeName, error }: ListedInput, { path }: OutputFile): Promise<boolean> {
  if (pipeName !== undefined || error !== undefined) return false;
  const [document, output] = await Promise.all([input, path].map((name) => stat(name).catch(() => undefined)));
  return document !== undefined && output?.isFile() === true && output.mtimeMs > document.mtimeMs;
}
