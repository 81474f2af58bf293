import type { Command } from './commander.js';
import { type Invoke, onRun, pathOf, present, renderExamples, takeOnce, takeOneOf, UsageMistake } from './declare.js';
import { addDocumentOptions, readDocumentOptions } from './document-options.js';
import { parseDuration, parseOutput } from './parse-option.js';

export function declareExtract(extract: Command, invoke: Invoke): void {
  extract.argument('[input...]', 'files, directories (without their hidden files), or - for standard input');
  addDocumentOptions(extract)
    .option('-o, --output <file>', 'write the result to a file', parseOutput)
    .option('--output-dir <dir>', 'write each result to a file of its own in a directory')
    .option('--force', 'overwrite existing files')
    .option('--skip-existing', 'leave out inputs whose output file is newer than they are')
    .option('--files-from <file>', 'read names of more inputs from a file, or - for standard input, one a line')
    .option('-0, --null', 'names in that file end with NUL, as from find -print0')
    .option('--name <name>', 'name of standard input in the log of the service')
    .option('--fail-fast', 'send nothing more after the first failure')
    .option('--dry-run', 'show what would be sent, and send nothing')
    .option('--no-wait', 'queue the document and print its job id')
    .option('--wait-timeout <duration>', 'how long to follow a job that makes no progress (300s)', parseDuration)
    .option('--cancel-on-interrupt', 'cancel unfinished jobs on Ctrl-C; by default they go on')
    .option('--no-cancel-on-interrupt', 'let them go on, whatever the setting says')
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
  takeOneOf(extract, ['no-wait', 'cancel-on-interrupt']);
  takeOnce(extract, ['output', 'output-dir', 'files-from', 'name']);
  onRun(
    extract,
    invoke,
    async () => (await import('../commands/extract/extract.js')).extract,
    (command) => {
      const { output, wait, ...rest } = command.opts();
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
        ...readDocumentOptions(command),
        ...(output === undefined ? {} : { outFile: output as string }),
        isAwaited: wait as boolean,
        ...present<string>('name', rest.name),
        ...present<number>('waitTimeoutMs', rest.waitTimeout),
        ...present<boolean>('cancelsOnInterrupt', rest.cancelOnInterrupt),
        ...present<string>('filesFrom', rest.filesFrom),
        ...present<string>('outputDir', rest.outputDir),
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
