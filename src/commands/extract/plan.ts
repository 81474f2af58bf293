import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findOutput } from '../../functions/find-output.js';
import type { ListedInput, Listing } from '../../io/input/listed-input.js';
import type { Output } from '../../io/output/output.js';
import type { OutputFile } from '../../io/output/output-file.js';
import type { ExtractArguments } from './arguments.js';
import type { FindFunction } from './function.js';
import { listInputs } from './inputs.js';
import type { ExtractOptions } from './options.js';
import type { SkippedLines } from './skipped-lines.js';

/** Everything that is known before anything is sent. */
export interface ExtractPlan extends ExtractArguments {
  inputs: ListedInput[];
  skipped: Listing['skipped'];
  /** Inputs left out since their output exists. */
  existingCount: number;
  /** One for each input, or none for standard output. */
  files: OutputFile[];
  /** True when the same command again may find output files: it overwrites them or leaves their inputs out. */
  takesExisting: boolean;
  outputDir: string | undefined;
  functionId: string;
  findFunction: FindFunction;
}

/** Checks everything that can be checked before anything is sent. @throws OcrError */
export async function planExtract(context: Context, options: ExtractOptions, names: string[]): Promise<ExtractPlan> {
  const { outFile, outputDir, skipsExisting } = options;
  const isForced = options.isForced || skipsExisting;
  if (outFile !== undefined && outputDir !== undefined) {
    throw new OcrError('USAGE', '--output and --output-dir cannot be used together');
  }
  if (skipsExisting && outputDir === undefined && (outFile === undefined || outFile === '-')) {
    throw new OcrError('USAGE', '--skip-existing looks at output files: it needs -o or --output-dir');
  }
  if (outFile !== undefined && names.length > 1) throw tooManyInputs();
  if (options.name !== undefined && !names.includes('-')) {
    throw new OcrError('USAGE', '--name is what standard input is called, which is none of the inputs', {
      hint: 'Name it: ocr extract -',
    });
  }
  const settings = await context.settings();
  const file = await checkFile({ ...options, isForced }, names);
  const functionName = options.function ?? settings.function.value;
  const findFunction = createFunctionFinder(context, functionName, { mayStart: !options.isDryRun });
  const { inputs, skipped } = await listInputs(context, names, {
    stdinName: options.name ?? 'stdin',
    findFunction,
    isIgnored: options.isIgnored,
  });
  if (outFile !== undefined && inputs.length > 1) throw tooManyInputs();
  // A mistyped name of an input costs no request and starts no service.
  const isHopeless = inputs.every(({ error }) => error !== undefined);
  const request = isHopeless
    ? { ...NO_ARGUMENTS, functionId: functionName, form: undefined }
    : await planRequest(context, options, functionName, findFunction);
  const { functionId, form, ...args } = request;
  if (form?.isBinary === true && options.isAwaited && !options.isDryRun) {
    checkPlaceForBytes(context, options, { functionId, extension: form.extension, count: inputs.length });
  }
  let files = file === undefined ? [] : [file];
  if (outputDir !== undefined && !isHopeless) {
    const { planOutputTree } = await import('../../io/output/output-tree.js');
    files = await planOutputTree(inputs, { directory: outputDir, ...namingOf(request, options), isForced });
  }
  const found = { inputs, skipped, existingCount: 0, files, takesExisting: isForced };
  const plan = { ...args, ...found, outputDir, functionId, findFunction };
  if (!skipsExisting) return plan;
  const { skipExisting } = await import('./skip-existing.js');
  return { ...plan, ...(await skipExisting({ ...plan, minConfidence: options.minConfidence }, context)) };
}

/** The request of every document of a command. */
export interface RequestPlan extends ExtractArguments {
  functionId: string;
  /** The form of its results; undefined for a function that this version does not know. */
  form: Awaited<ReturnType<typeof findOutput>>;
}

/** Finds the function by its name and reads its arguments. @throws OcrError */
export async function planRequest(
  context: Context,
  options: ExtractOptions,
  name: string,
  findFunction: FindFunction,
): Promise<RequestPlan> {
  const settings = await context.settings();
  const functionId = await resolveFunctionId(name, findFunction);
  const form = await findOutput(functionId);
  const isMarkdown = (options.format ?? settings.format.value) === 'markdown';
  const languages = options.languages ?? settings.languages.value;
  const args = await readArguments(context, options, { functionId, findFunction, isMarkdown, languages });
  return { ...args, functionId, form };
}

/** Lets the setting decide on the form of files where the command line does not. */
export async function withFormatOfFiles<T extends ExtractOptions>(context: Context, options: T): Promise<T> {
  const isChosen = options.filesHoldJson || options.format !== undefined;
  return isChosen ? options : { ...options, filesHoldJson: (await context.settings()).format.value === 'json' };
}

/** Returns the ends of the names of output files. */
export function namingOf(
  { args, form }: RequestPlan,
  { filesHoldJson }: Pick<ExtractOptions, 'filesHoldJson'>,
): { extension: string; part: string | undefined } {
  if (filesHoldJson) return { extension: '.json', part: undefined };
  const extension = args.format === 'markdown' ? '.md' : (form?.extension ?? '.txt');
  return { extension, part: form?.several?.part };
}

const NO_ARGUMENTS: ExtractArguments = { args: {}, recordedArgs: {} };

async function checkFile({ outFile, isForced }: ExtractOptions, names: string[]): Promise<OutputFile | undefined> {
  if (outFile === undefined || outFile === '-') return undefined;
  const { checkOutputFile } = await import('../../io/output/output-file.js');
  return await checkOutputFile(outFile, { isForced, inputs: names });
}

/** Asks for the catalog's entry once and only when it is needed: most commands need none. */
export function createFunctionFinder(context: Context, id: string, options: { mayStart: boolean }): FindFunction {
  let found: ReturnType<FindFunction> | undefined;
  return () => {
    found ??= import('./function.js').then(({ findFunction }) => findFunction(context, id, options));
    return found;
  };
}

/** Returns the function's id. An unknown function may be mistyped, which must not cost an upload. @throws OcrError NOT_FOUND */
async function resolveFunctionId(name: string, find: FindFunction): Promise<string> {
  if ((await findOutput(name)) !== undefined) return name;
  const { findFunctionId } = await import('./function.js');
  return await findFunctionId(name, find);
}

/** Reads the arguments. Without any, the catalog is not asked and the reader is not loaded. @throws OcrError */
async function readArguments(
  context: Context,
  { assignments, argsJson, format, languages, hasPageBreaks }: ExtractOptions,
  known: { functionId: string; findFunction: FindFunction; isMarkdown: boolean; languages: string },
): Promise<ExtractArguments> {
  const isPlain = assignments.length === 0 && argsJson === undefined;
  if (isPlain && !known.isMarkdown && !hasPageBreaks && known.languages === '') return NO_ARGUMENTS;
  const { readArguments: read } = await import('./arguments.js');
  return await read(context, {
    ...known,
    assignments,
    argsJson,
    hasPageBreaks,
    isMarkdownOptional: format === undefined,
    areLanguagesOptional: languages === undefined,
  });
}

/** Refuses to send what could not be printed. @throws OcrError USAGE */
function checkPlaceForBytes(
  { output, io }: Context,
  { outFile, outputDir }: ExtractOptions,
  { functionId, extension, count }: { functionId: string; extension: string; count: number },
): void {
  if (output.isJson || outputDir !== undefined) return;
  const name = `a file (${extension})`;
  if (count > 1) {
    throw new OcrError('USAGE', `${functionId} gives ${name} for each input; nothing was sent`, {
      hint: 'Use --output-dir <dir>.',
    });
  }
  if ((outFile === undefined || outFile === '-') && io.stdout.isTerminal) {
    throw new OcrError('USAGE', `${functionId} gives ${name}, which a terminal cannot show; nothing was sent`, {
      hint: 'Write it to a file: -o <file>',
    });
  }
}

function tooManyInputs(): OcrError {
  return new OcrError('USAGE', '--output takes one input', { hint: 'Several results go to a directory: --output-dir' });
}

/** True when the line of an input is one of several. */
export function isOneOfSeveral(
  { inputs, skipped }: Pick<ExtractPlan, 'inputs' | 'skipped'>,
  output: Pick<Output, 'isJson'>,
): boolean {
  return inputs.length + (output.isJson ? skipped.length : 0) > 1;
}

/** Loads the printer of skipped files where there are any. */
export async function loadSkippedLines(
  plan: Pick<ExtractPlan, 'skipped'>,
  output: Output,
  compact: boolean,
): Promise<SkippedLines | undefined> {
  if (plan.skipped.length === 0) return undefined;
  return (await import('./skipped-lines.js')).createSkippedLines(plan, output, compact);
}
