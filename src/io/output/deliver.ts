import { OcrError } from '../../contract/ocr-error.js';
import { type Completed, type Pending, pendingBody } from '../../contract/outcome.js';
import { joinPages } from '../../contract/page-ranges.js';
import { makeOneLine, makeVisible } from '../../contract/visible.js';
import type { Sink } from '../terminal/sink.js';
import type { Output } from './output.js';
import type { FileContent, OutputFile } from './output-file.js';

/** The printable form of a result: text, a file's bytes, or rows. */
export type Printable = string | Uint8Array | { columns: readonly string[]; rows: ReadonlyArray<readonly string[]> };

/** How results of a function are printed; `print` gives undefined for what it does not know. */
type FindOutput = (functionId: string) => Promise<ResultForm | undefined>;

interface ResultForm {
  print(result: unknown): Printable | undefined;
  several?: { part: string; print(result: unknown): string[] | undefined };
}

export interface DeliverOptions {
  output: Output;
  stdout: Sink;
  /** The input's name on the command line; undefined for a job that this machine did not submit. */
  input: string | undefined;
  /** One of several: on a terminal each follows its name, and JSON stays on one line. */
  isOneOfSeveral: boolean;
  file: OutputFile | undefined;
  /** True when the file gets the service's body as JSON instead of what the function prints. */
  filesHoldJson?: boolean;
  /** Error of a document that was read but is not good enough: the line of --json has it too. */
  complaint?: OcrError | undefined;
  /** The requested function; undefined where only the answer names it. */
  functionId: string | undefined;
  findOutput: FindOutput;
}

/** A result as it is to be printed and written; what it was made from need not be kept. */
export interface Rendered {
  /** For standard output. */
  content: string | Uint8Array;
  /** True when an empty line separates the content from the one before it, as the tables of one document are separated. */
  isApart?: boolean;
  /** For the file. */
  fileContent: FileContent | undefined;
  /** Replaces the file that was asked for, where the result has no parts after all. */
  file?: OutputFile;
  /** Remarks on the result, for people. */
  notes: string[];
}

/** Prints a result, or what is known of a job that is not done. Resolves when it is written. */
export async function deliver(
  outcome: Completed | Pending,
  options: DeliverOptions,
  signal: AbortSignal,
): Promise<void> {
  const rendered = await render(outcome, options);
  if (options.file !== undefined && rendered.fileContent !== undefined) {
    const { writeOutputFile } = await import('./output-file.js');
    await writeOutputFile(rendered.file ?? options.file, rendered.fileContent, signal);
  }
  await print(rendered, options.output);
}

/** Notes come after their text: whoever reads along sees what they are about. */
export async function print({ content, isApart = false, notes }: Rendered, output: Output): Promise<void> {
  if (isApart) await output.textApart(content);
  else await output.text(content);
  for (const note of notes) output.note(note);
}

/** @throws OcrError USAGE for a file's bytes that would go to a terminal, or after others */
export async function render(outcome: Completed | Pending, options: DeliverOptions): Promise<Rendered> {
  const { output, stdout, input, isOneOfSeveral, file, filesHoldJson = false } = options;
  const named = input === undefined ? {} : { input };
  const renderLine = (value: object) => output.renderJson(value, { compact: isOneOfSeveral });
  if (outcome.state === 'pending') {
    const content = output.isJson ? renderLine({ ...named, ...pendingBody(outcome) }) : `${outcome.jobId}\n`;
    return { content, fileContent: undefined, notes: [] };
  }
  const { body } = outcome;
  // First in the line, and ours: a server does not get to say what was given to this command.
  const value: Record<string, unknown> = { ...named, ...body, ...named };
  const failed = options.complaint === undefined ? {} : await errorOf(options.complaint);
  if (file === undefined && output.isJson)
    return { content: renderLine({ ...value, ...failed }), fileContent: undefined, notes: [] };
  const { printable, form } = await printableOf(body, options);
  const notes = notesOn(body, printable, { input, part: form?.several?.part });
  if (file !== undefined) {
    const { result, ...rest } = value;
    const warned = isWarned(result) ? { warnings: result.warnings } : {};
    const line = (name: string | string[]) =>
      output.isJson ? renderLine({ ...rest, output: name, ...warned, ...failed }) : '';
    if (filesHoldJson) return { content: line(file.name), fileContent: `${JSON.stringify(value)}\n`, notes };
    const parts = await partsOf(body, options);
    if (file.series === undefined) {
      const remarks = parts !== undefined && parts.texts.length > 1 ? [...notes, noteOnParts(parts, file)] : notes;
      return { content: line(file.name), fileContent: await renderContent(printable), notes: remarks };
    }
    const { fileOfSeries, withoutSeries } = await import('./output-file.js');
    if (parts !== undefined) {
      const names = parts.texts.map((_text, index) => fileOfSeries(file, index + 1).name);
      return { content: line(names), fileContent: parts.texts, notes };
    }
    const whole = withoutSeries(file);
    return { content: line(whole.name), fileContent: await renderContent(printable), file: whole, notes };
  }
  if (printable instanceof Uint8Array) {
    if (stdout.isTerminal || isOneOfSeveral) throw unprintable(body, input);
    return { content: printable, fileContent: undefined, notes };
  }
  if (!stdout.isTerminal) {
    const isApart = isOneOfSeveral && (await formOf(body, options))?.several !== undefined;
    return { content: await renderText(printable), isApart, fileContent: undefined, notes };
  }
  const title = isOneOfSeveral && input !== undefined ? `==> ${makeOneLine(input)} <==\n` : '';
  const shown =
    typeof printable === 'string'
      ? makeVisible(withNewline(printable))
      : await output.renderTable(printable.columns, printable.rows);
  return { content: title + shown, fileContent: undefined, notes };
}

async function errorOf(complaint: OcrError): Promise<object> {
  return (await import('../messages/error-text.js')).errorEnvelope(complaint);
}

interface Parts {
  part: string;
  texts: string[];
}

/** Returns the parts of a result whose function prints several. */
async function partsOf(body: Record<string, unknown>, options: DeliverOptions): Promise<Parts | undefined> {
  const several = (await formOf(body, options))?.several;
  const texts = several?.print(body.result);
  return several === undefined || texts === undefined ? undefined : { part: several.part, texts };
}

function noteOnParts({ part, texts }: Parts, { name }: OutputFile): string {
  return `${name} holds ${texts.length} ${part}s with an empty line between them; ocr extract --output-dir writes a file for each`;
}

async function formOf(body: Record<string, unknown>, options: DeliverOptions): Promise<ResultForm | undefined> {
  const functionId = options.functionId ?? body.function;
  return typeof functionId === 'string' ? await options.findOutput(functionId) : undefined;
}

/** Text as the service gave it; else what its function makes of the result; else the result as JSON. */
async function printableOf(
  body: Record<string, unknown>,
  options: DeliverOptions,
): Promise<{ printable: Printable; form?: ResultForm | undefined }> {
  const { text } = (body.result ?? {}) as { text?: unknown };
  if (typeof text === 'string') return { printable: text };
  const form = await formOf(body, options);
  return { printable: form?.print(body.result) ?? JSON.stringify(body.result, null, 2) ?? '', form };
}

async function renderContent(printable: Printable): Promise<string | Uint8Array> {
  return printable instanceof Uint8Array ? printable : await renderText(printable);
}

/** For a pipe or a file. */
async function renderText(printable: Exclude<Printable, Uint8Array>): Promise<string> {
  if (typeof printable === 'string') return withNewline(printable);
  const { toTabSeparated } = await import('./table.js');
  return toTabSeparated(printable.rows);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function unprintable({ jobId }: Record<string, unknown>, input: string | undefined): OcrError {
  const hint = typeof jobId === 'string' ? `ocr jobs result ${jobId} -o <file>` : 'Write it to a file: -o <file>';
  const on = input === undefined ? '' : ` of ${input}`;
  return new OcrError('USAGE', `The result${on} is a file, which cannot be printed here`, { hint });
}

/** True where the service warns of the result: the line of a file has the warnings too, since nobody may open the file. */
function isWarned(result: unknown): result is { warnings: unknown[] } {
  const { warnings } = (result ?? {}) as { warnings?: unknown };
  return Array.isArray(warnings) && warnings.length > 0;
}

/** Lists the service's warnings (`result.warnings`: texts, or objects with a message and a page), and notes an empty result. */
function notesOn(
  body: Record<string, unknown>,
  printable: Printable,
  { input, part }: { input: string | undefined; part: string | undefined },
): string[] {
  const on = input === undefined ? '' : `${input}: `;
  const { text } = (body.result ?? {}) as { text?: unknown };
  const warnings = isWarned(body.result) ? body.result.warnings : [];
  const notes = joinWarnings(warnings).map((warning) => `${on}${warning}`);
  const isEmpty =
    typeof printable === 'string' ? printable.trim() === '' : 'rows' in printable && printable.rows.length === 0;
  if (!isEmpty) return notes;
  if (part !== undefined) return [...notes, `${on}no ${part}s were found`];
  return [...notes, `${on}${text === undefined ? 'nothing' : 'no text'} was found`];
}

/** Returns a line for each warning, with all the pages that have it. */
function joinWarnings(warnings: readonly unknown[]): string[] {
  const pagesOf = new Map<string, number[]>();
  for (const warning of warnings) {
    const { page, message } =
      typeof warning === 'string' ? { page: undefined, message: warning } : readWarning(warning);
    if (typeof message !== 'string') continue;
    const pages = pagesOf.get(message) ?? [];
    if (typeof page === 'number') pages.push(page);
    pagesOf.set(message, pages);
  }
  return [...pagesOf].map(([message, pages]) => {
    if (pages.length === 0) return message;
    const sorted = [...new Set(pages)].sort((a, b) => a - b);
    return `${sorted.length === 1 ? 'page' : 'pages'} ${joinPages(sorted)}: ${message}`;
  });
}

function readWarning(warning: unknown): { page?: unknown; message?: unknown } {
  return (warning ?? {}) as { page?: unknown; message?: unknown };
}
