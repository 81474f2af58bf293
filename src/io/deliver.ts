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
}

/** Prints a result, or what is known of a job that is not done. Resolves when it is written. */
export async function deliver(outcome: Completed | Pending, options: DeliverOptions): Promise<void> {
  const { output, stdout, input, isOneOfSeveral, file } = options;
  const named = input === undefined ? {} : { input };
  if (outcome.state === 'pending') {
    if (!output.isJson) return await output.text(`${outcome.jobId}\n`);
    return await output.json({ ...named, ...pendingBody(outcome) }, { compact: isOneOfSeveral });
  }
  const { body } = outcome;
  if (file !== undefined) {
    const text = output.isJson ? `${JSON.stringify({ ...named, ...body })}\n` : renderText(body);
    return await writeOutputFile(file, text);
  }
  if (output.isJson) return await output.json({ ...named, ...body }, { compact: isOneOfSeveral });
  const text = renderText(body);
  if (!stdout.isTerminal) return await output.text(text);
  const title = isOneOfSeveral && input !== undefined ? `==> ${input} <==\n` : '';
  await output.text(makeVisible(title + text));
}

/** The text as the service gave it, with a final newline; of a function that gives none, its result as JSON. */
function renderText(body: Record<string, unknown>): string {
  const { text } = (body.result ?? {}) as { text?: unknown };
  const shown = typeof text === 'string' ? text : JSON.stringify(body.result, null, 2);
  return shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`;
}
