import { type Completed, type Pending, pendingBody } from '../contract/outcome.js';
import type { Output } from './output.js';
import { type OutputFile, writeOutputFile } from './output-file.js';
import type { Sink } from './sink.js';
import { makeVisible } from './visible.js';

export interface DeliverOptions {
  output: Output;
  stdout: Sink;
  /** As it was named on the command line; undefined for a job that this machine did not submit. */
  input: string | undefined;
  /** One of several: on a terminal each follows its name, and JSON stays on one line. */
  isOneOfSeveral: boolean;
  file: OutputFile | undefined;
  /** With --json a line on standard output beside the file, which it names. */
  hasLine?: boolean;
}

/** A result as it is to be printed and written; what it was made from need not be kept. */
export interface Rendered {
  /** For standard output. */
  text: string;
  /** For the file. */
  fileText: string | undefined;
  /** What a person should know of it. */
  notes: string[];
}

/** Prints a result, or what is known of a job that is not done. Resolves when it is written. */
export async function deliver(outcome: Completed | Pending, options: DeliverOptions): Promise<void> {
  const rendered = render(outcome, options);
  if (options.file !== undefined && rendered.fileText !== undefined) {
    await writeOutputFile(options.file, rendered.fileText);
  }
  await print(rendered, options.output);
}

/** Notes come after their text: whoever reads along sees what they are about. */
export async function print({ text, notes }: Rendered, output: Output): Promise<void> {
  await output.text(text);
  for (const note of notes) output.note(note);
}

export function render(outcome: Completed | Pending, options: DeliverOptions): Rendered {
  const { output, stdout, input, isOneOfSeveral, file } = options;
  const named = input === undefined ? {} : { input };
  const renderLine = (value: object) => output.renderJson(value, { compact: isOneOfSeveral });
  if (outcome.state === 'pending') {
    const text = output.isJson ? renderLine({ ...named, ...pendingBody(outcome) }) : `${outcome.jobId}\n`;
    return { text, fileText: undefined, notes: [] };
  }
  const { body } = outcome;
  if (output.isJson) {
    // First in the line, and ours: a server does not get to say what was given to this command.
    const value = { ...named, ...body, ...named };
    if (file === undefined) return { text: renderLine(value), fileText: undefined, notes: [] };
    const text = options.hasLine ? renderLine({ ...value, output: file.name }) : '';
    return { text, fileText: `${JSON.stringify(value)}\n`, notes: [] };
  }
  const text = renderText(body);
  const notes = notesOn(body, text, input);
  if (file !== undefined) return { text: '', fileText: text, notes };
  if (!stdout.isTerminal) return { text, fileText: undefined, notes };
  const title = isOneOfSeveral && input !== undefined ? `==> ${input} <==\n` : '';
  return { text: makeVisible(title + text), fileText: undefined, notes };
}

/** The text as the service gave it, with a final newline; of a function that gives none, its result as JSON. */
function renderText(body: Record<string, unknown>): string {
  const { text } = (body.result ?? {}) as { text?: unknown };
  const shown = typeof text === 'string' ? text : JSON.stringify(body.result, null, 2);
  return shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`;
}

/** What the service warned of (`result.warnings`: texts, or objects with a message and a page), and that there is no text. */
function notesOn(body: Record<string, unknown>, text: string, input: string | undefined): string[] {
  const on = input === undefined ? '' : `${input}: `;
  const { warnings } = (body.result ?? {}) as { warnings?: unknown };
  const notes = (Array.isArray(warnings) ? warnings : []).flatMap((warning: unknown) => {
    if (typeof warning === 'string') return [`${on}${warning}`];
    const { page, message } = (warning ?? {}) as { page?: unknown; message?: unknown };
    if (typeof message !== 'string') return [];
    return [`${on}${typeof page === 'number' ? `page ${page}: ` : ''}${message}`];
  });
  return text.trim() === '' ? [...notes, `${on}no text was found in it`] : notes;
}
