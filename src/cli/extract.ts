import { type Command, Option } from './commander.js';
import { type Invoke, onRun, pathOf, present, renderExamples, takeOnce, takeOneOf, UsageMistake } from './declare.js';
import { collect, parseConcurrency, parseDuration, parseLanguageList, parseShare } from './parse-option.js';

export function declareExtract(extract: Command, invoke: Invoke): void {
  extract
    .argument('[input...]', 'files, directories, or - for standard input')
    .option('-f, --function <id>', 'what to do with the documents, also by its short name (text)')
    .option('-a, --arg <key=value>', 'an argument of the function; may be repeated', collect)
    .option('--args <json|@file>', 'arguments as one JSON object; @- for standard input')
    .option('-l, --languages <codes>', 'languages of the documents: deu+eng, or de+en', parseLanguageList)
    .addOption(formatOption())
    .option('--page-breaks', 'mark where pages end: a form feed in text, a comment in Markdown')
    .option('--min-confidence <0-1>', 'count a document that is read with less as failed', parseShare)
    .option('-o, --output <file>', 'write the result to a file')
    .option('--output-dir <dir>', 'write each result to a file of its own in a directory')
    .option('--force', 'overwrite existing files')
    .option('--skip-existing', 'leave out inputs whose output file is newer than they are')
    .option('--files-from <file>', 'read names of more inputs from a file, or - for standard input, one a line')
    .option('-0, --null', 'names in that file end with NUL, as from find -print0')
    .option('--name <name>', 'name of standard input in the log of the service')
    .option('-c, --concurrency <n>', 'documents sent at once (4)', parseConcurrency)
    .option('--fail-fast', 'send nothing more after the first failure')
    .option('--dry-run', 'show what would be sent, and send nothing')
    .option('--no-wait', 'queue the document and print its job id')
    .option('--wait-timeout <duration>', 'how long to follow a job that makes no progress (300s)', parseDuration)
    .option('--fresh', 'send again even if the same command is unfinished')
    .addHelpText(
      'after',
      renderExamples([
        'ocr extract file.pdf',
        'ocr extract --format markdown file.pdf',
        'ocr extract -f tables file.pdf',
        'ocr extract --json file.pdf scan.pdf',
        'cat file.pdf | ocr extract -',
        'ocr extract --dry-run scans',
        'ocr extract scans --output-dir texts --skip-existing',
      ]),
    );
  takeOneOf(extract, ['no-wait', 'wait-timeout']);
  takeOneOf(extract, ['no-wait', 'min-confidence']);
  takeOnce(extract, ['function', 'args', 'output', 'output-dir', 'files-from', 'name', 'languages']);
  onRun(
    extract,
    invoke,
    async () => (await import('../commands/extract/extract.js')).extract,
    (command) => {
      const { arg, args, format, output, wait, json: _, ...rest } = command.opts();
      if (command.args.length === 0 && rest.filesFrom === undefined) {
        throw new UsageMistake(
          "missing required argument 'input'\nStandard input has to be named: ocr extract -",
          pathOf(command),
        );
      }
      if (rest.null === true && rest.filesFrom === undefined) {
        throw new UsageMistake('-0 says how names in --files-from end, which is missing', pathOf(command));
      }
      return {
        inputs: command.args,
        assignments: (arg ?? []) as string[],
        ...(args === undefined ? {} : { argsJson: args as string }),
        ...(format === undefined || format === 'json' ? {} : { format: format as 'text' | 'markdown' }),
        filesHoldJson: format === 'json',
        ...(output === undefined ? {} : { outFile: output as string }),
        isAwaited: wait as boolean,
        ...present<string>('function', rest.function),
        ...present<string>('languages', rest.languages),
        ...present<string>('name', rest.name),
        ...present<number>('waitTimeoutMs', rest.waitTimeout),
        ...present<number>('minConfidence', rest.minConfidence),
        ...present<string>('filesFrom', rest.filesFrom),
        ...present<string>('outputDir', rest.outputDir),
        ...present<number>('concurrency', rest.concurrency),
        hasPageBreaks: rest.pageBreaks === true,
        isNulSeparated: rest.null === true,
        failsFast: rest.failFast === true,
        isDryRun: rest.dryRun === true,
        isForced: rest.force === true,
        skipsExisting: rest.skipExisting === true,
        isFresh: rest.fresh === true,
      };
    },
  );
}

/** `md` is short for markdown; help and messages name the choices alone. */
function formatOption(): Option {
  const option = new Option('--format <format>', 'format of the result, also in files (text)');
  option.choices(['text', 'markdown', 'json']);
  const check = option.parseArg as (value: string, previous: unknown) => unknown;
  return option.argParser((value, previous) => check(value === 'md' ? 'markdown' : value, previous));
}
