import {
  type Assignment,
  hasArgument,
  isSecretArgument,
  parseAssignment,
  takesList,
  typeValue,
  withoutSecrets,
} from '../../api/catalog/arguments.js';
import { checkArguments } from '../../api/catalog/check-arguments.js';
import type { CatalogFunction } from '../../api/catalog/read-catalog.js';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findRepeatedName } from '../../contract/repeated-name.js';
import { reasonOf } from '../../contract/system-reason.js';
import { decodeText } from '../../io/input/decode-text.js';
import { readFileOrPipe } from '../../io/input/read-file.js';
import { readStandardInput, refuseTerminal } from '../../io/input/standard-input.js';
import { canPrompt } from '../../io/terminal/can-prompt.js';

type Json = Record<string, unknown>;

export interface ExtractArguments {
  args: Json;
  /** The arguments without the values of secrets. */
  recordedArgs: Json;
}

export interface ArgumentSources {
  functionId: string;
  /** The catalog's entry; undefined when the catalog cannot be read. @throws OcrError NOT_FOUND */
  findFunction(): Promise<CatalogFunction | undefined>;
  /** `-a`, each `key=value`. */
  assignments: readonly string[];
  /** `--args`. */
  argsJson: string | undefined;
  isMarkdown: boolean;
  hasPageBreaks: boolean;
  /** Languages of the documents, as typed: `deu+eng`; empty when not named. */
  languages: string;
  /** True when the wish for Markdown comes from the settings: a function without a format ignores it. */
  isMarkdownOptional?: boolean;
  /** True when the languages come from the settings: arguments come before them, and a function without languages ignores them. */
  areLanguagesOptional?: boolean;
}

/**
 * Reads the function's arguments from `--args`, `--format markdown`, `--page-breaks`, `-l` and `-a`; the later wins. They are checked against the
 * function's argsSchema when the catalog can be read.
 * @throws OcrError USAGE; NOT_FOUND for a function that is not in the catalog
 */
export async function readArguments(context: Context, sources: ArgumentSources): Promise<ExtractArguments> {
  const { functionId, assignments, argsJson, isMarkdown } = sources;
  const assigned = assignments.map(parseAssignment);
  const repeated = assigned.find(({ name }, i) => assigned.findIndex((other) => other.name === name) < i);
  const base = argsJson === undefined ? {} : await readArgsJson(argsJson, context);
  const entry = await sources.findFunction();
  const schema = entry?.argsSchema;
  if (repeated !== undefined) throw repeatedArgument(repeated.name, schema);
  if (argsJson !== undefined && !argsJson.startsWith('@')) {
    for (const name of Object.keys(base)) if (isSecretArgument(name, schema)) throw visibleSecret(name);
  }
  // The object has no prototype, so that `__proto__` is a name like any other.
  const args: Json = Object.assign(Object.create(null) as Json, base);
  if (isMarkdown) {
    const hasFormat = schema === undefined || hasArgument('format', schema);
    if (!hasFormat && sources.isMarkdownOptional !== true) {
      throw new OcrError('USAGE', `${functionId} cannot give Markdown: it has no argument "format"`);
    }
    if (hasFormat) args.format = 'markdown';
  }
  if (sources.hasPageBreaks) {
    if (schema !== undefined && !hasArgument('pageBreaks', schema)) {
      throw new OcrError('USAGE', `${functionId} cannot mark pages: it has no argument "pageBreaks"`);
    }
    args.pageBreaks = true;
  }
  await addLanguages(args, sources, assigned, schema);
  for (const { name, value } of assigned) {
    if (value === undefined) args[name] = await promptForValue(context, name, schema);
    else if (isSecretArgument(name, schema)) throw visibleSecret(name);
    else args[name] = typeValue(name, value, schema);
  }
  await checkArguments(args, schema, functionId, context.output.debug);
  return { args, recordedArgs: withoutSecrets(args, schema) };
}

/** Adds the languages of `-l` or of the settings. @throws OcrError USAGE */
async function addLanguages(
  args: Json,
  { functionId, languages, areLanguagesOptional = false }: ArgumentSources,
  assigned: readonly Assignment[],
  schema: Json | undefined,
): Promise<void> {
  if (languages === '') return;
  const isAssigned = assigned.some(({ name }) => name === 'languages');
  if (areLanguagesOptional && (isAssigned || args.languages !== undefined || !hasArgument('languages', schema))) return;
  if (isAssigned) {
    throw new OcrError('USAGE', 'The languages are given twice: -l and -a languages=…');
  }
  if (schema !== undefined && !hasArgument('languages', schema)) {
    throw new OcrError('USAGE', `${functionId} takes no languages: it has no argument "languages"`);
  }
  const { parseLanguages } = await import('../../contract/languages.js');
  args.languages = parseLanguages(languages);
}

function repeatedArgument(name: string, schema: Json | undefined): OcrError {
  const hint = takesList(name, schema) ? `Several values go into one: -a ${name}=…,…` : undefined;
  return new OcrError('USAGE', `The argument "${name}" is given twice`, { hint });
}

async function readArgsJson(given: string, context: Context): Promise<Json> {
  if (given === '@') {
    throw new OcrError('USAGE', '--args names no file after the @', {
      hint: 'Name it: --args @file, or for standard input: --args @-',
    });
  }
  const isFile = given.startsWith('@');
  const source = given === '@-' ? 'Standard input' : isFile ? given.slice(1) : '--args';
  const text = isFile ? decodeText(await readArgsFile(given.slice(1), context)) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message is left out: it quotes what may be a secret.
    throw new OcrError('USAGE', `${source} holds no JSON`, { hint: 'Example: {"pages":"1-3"}' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OcrError('USAGE', `${source} holds no JSON object`, { hint: 'Example: {"pages":"1-3"}' });
  }
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) throw new OcrError('USAGE', `${source} holds "${repeated}" twice`);
  return value as Json;
}

async function readArgsFile(name: string, { io, signal }: Context): Promise<Buffer> {
  if (name === '-') {
    refuseTerminal(io.stdin, 'Pipe a JSON object into it, or name a file: --args @file');
    return await readStandardInput(io.stdin, signal);
  }
  try {
    return await readFileOrPipe(name, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new OcrError('USAGE', `Cannot read the arguments in ${name}: ${reasonOf(error)}`);
  }
}

async function promptForValue(context: Context, name: string, schema: Json | undefined): Promise<unknown> {
  const { io, signal } = context;
  if (!isSecretArgument(name, schema)) {
    throw new OcrError('USAGE', `The argument "${name}" has no value`, { hint: `Write it as -a ${name}=value` });
  }
  if (!canPrompt(context)) {
    throw new OcrError('USAGE', `"${name}" cannot be asked for without a terminal`, {
      hint: `Pipe {"${name}": …} in: --args @-, or put it into a file: --args @file`,
    });
  }
  const { promptSecret } = await import('../../io/terminal/prompt-secret.js');
  return await promptSecret(name, { stdin: io.stdin, stderr: io.stderr, signal });
}

/** Refuses a secret on the command line, which other users of the machine can read. */
function visibleSecret(name: string): OcrError {
  return new OcrError('USAGE', `"${name}" is a secret, which no flag takes`, {
    hint: `Use -a ${name} to be asked for it, pipe {"${name}": …} in: --args @-, or put it into a file: --args @file`,
  });
}
