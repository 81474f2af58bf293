import { type Command, Option } from './commander.js';
import { present, takeOnce } from './declare.js';
import { collect, parseConcurrency, parseLanguageList, parseShare } from './parse-option.js';

/** The options of what is done with each document, for every command that sends documents. */
export interface DocumentOptions {
  assignments: string[];
  argsJson?: string;
  format?: 'text' | 'markdown';
  filesHoldJson: boolean;
  hasPageBreaks: boolean;
  function?: string;
  languages?: string;
  minConfidence?: number;
  concurrency?: number;
}

export function addDocumentOptions(command: Command): Command {
  takeOnce(command, ['function', 'args', 'languages']);
  return command
    .option('-f, --function <id>', 'what to do with the documents, also by its short name (text)')
    .option(
      '-a, --arg <key=value>',
      'an argument of the function; may be repeated for others; wins over --args',
      collect,
    )
    .option('--args <json|@file>', 'arguments as one JSON object, given once; @- for standard input')
    .option('-l, --languages <codes>', 'languages of the documents: deu+eng, or de+en', parseLanguageList)
    .addOption(formatOption())
    .option('--page-breaks', 'mark where pages end: a form feed in text, a comment in Markdown')
    .option('--min-confidence <0-1>', 'count a document that is read with less as failed', parseShare)
    .option('-c, --concurrency <n>', 'documents sent at once (4)', parseConcurrency);
}

export function readDocumentOptions(command: Command): DocumentOptions {
  const { arg, args, format, ...rest } = command.opts();
  return {
    assignments: (arg ?? []) as string[],
    ...(args === undefined ? {} : { argsJson: args as string }),
    ...(format === undefined || format === 'json' ? {} : { format: format as 'text' | 'markdown' }),
    filesHoldJson: format === 'json',
    hasPageBreaks: rest.pageBreaks === true,
    ...present<string>('function', rest.function),
    ...present<string>('languages', rest.languages),
    ...present<number>('minConfidence', rest.minConfidence),
    ...present<number>('concurrency', rest.concurrency),
  };
}

/** `md` is short for markdown; help and messages name the choices alone. */
function formatOption(): Option {
  const option = new Option('--format <format>', 'format of the result, also in files (text)');
  option.choices(['text', 'markdown', 'json']);
  const check = option.parseArg as (value: string, previous: unknown) => unknown;
  return option.argParser((value, previous) => check(value === 'md' ? 'markdown' : value, previous));
}
