import { type Command, Option } from 'commander';
import { collect, duration, examples, type Invoke, onRun, present } from './declare.js';

export function declareExtract(extract: Command, invoke: Invoke): void {
  extract
    .argument('<input...>', 'files, or - for standard input')
    .option('-f, --function <id>', 'what to do with the documents (TEXT_EXTRACTION)')
    .option('-a, --arg <key=value>', 'an argument of the function; may be repeated', collect, [])
    .option('--args <json|@file>', 'arguments as one JSON object')
    .addOption(new Option('--format <format>', 'of the result (text)').choices(['text', 'markdown', 'json']))
    .option('-o, --output <file>', 'write the result to a file')
    .option('--force', 'overwrite that file')
    .option('--name <name>', 'what standard input is called in the log of the service')
    .option('--no-wait', 'queue the document and print its job id')
    .option('--wait-timeout <duration>', 'how long to follow a job (300s)', duration)
    .option('--fresh', 'send anew even where the same command is unfinished')
    .addHelpText(
      'after',
      examples([
        'ocr extract examples/report.pdf',
        'ocr extract --format markdown examples/report.pdf',
        'ocr extract --json examples/report.pdf examples/scanned.pdf',
        'cat examples/report.pdf | ocr extract -',
      ]),
    );
  onRun(
    extract,
    invoke,
    async () => (await import('../commands/extract.js')).extract,
    (command) => {
      const { arg, args, format, output, wait, json: _, ...rest } = command.opts();
      return {
        inputs: command.args,
        assignments: arg as string[],
        ...(args === undefined ? {} : { argsJson: args as string }),
        ...(format === undefined || format === 'json' ? {} : { format: format as 'text' | 'markdown' }),
        ...(output === undefined ? {} : { outFile: output as string }),
        isAwaited: wait as boolean,
        ...present<string>('function', rest.function),
        ...present<string>('name', rest.name),
        ...present<number>('waitTimeoutMs', rest.waitTimeout),
        isForced: rest.force === true,
        isFresh: rest.fresh === true,
      };
    },
  );
}
