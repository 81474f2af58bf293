import { findBackwardsRange, PAGE_RANGES_PATTERN } from '../contract/page-ranges.js';
import { type Command, InvalidArgumentError } from './commander.js';
import { type Invoke, onRun, present, renderExamples, SOME_JOB, takeOnce } from './declare.js';
import { parseDuration, parseLanguageList, parseOutput } from './parse-option.js';
import { idOf } from './pasted-ids.js';

export function declareOpen(open: Command, invoke: Invoke): void {
  open
    .argument('<file|jobId|requestId>', 'a document, - for standard input, or an id of what was sent before')
    .option('-o, --output <file>', 'write the page to a file, or to standard output: -', parseOutput)
    .option('--force', 'overwrite that file')
    .option('--pages <ranges>', 'show these pages, 1-3,7,-1 (the first 50)', parsePages)
    .option('-l, --languages <codes>', 'languages of the document: deu+eng, or de+en', parseLanguageList)
    .option('--wait-timeout <duration>', 'how long to follow a job that makes no progress (300s)', parseDuration)
    .option('--fresh', 'send again even if the same command is unfinished')
    .addHelpText(
      'after',
      renderExamples(['ocr open file.pdf', 'ocr open scan.pdf -o page.html', `ocr open ${SOME_JOB}`]),
    );
  takeOnce(open, ['output', 'pages', 'languages']);
  onRun(
    open,
    invoke,
    async () => (await import('../commands/open/open.js')).open,
    (command) => {
      const { output, pages, languages, waitTimeout, force, fresh } = command.opts();
      return {
        target: command.args[0] ?? '',
        id: idOf(command),
        ...present<string>('outFile', output),
        ...present<string>('pages', pages),
        ...present<string>('languages', languages),
        ...present<number>('waitTimeoutMs', waitTimeout),
        isForced: force === true,
        isFresh: fresh === true,
      };
    },
  );
}

/** Returns ranges of pages as they are typed. @throws InvalidArgumentError */
function parsePages(text: string): string {
  if (!new RegExp(PAGE_RANGES_PATTERN).test(text)) throw new InvalidArgumentError('Pages look like 1-3,7,-1.');
  const backwards = findBackwardsRange(text);
  if (backwards !== undefined) throw new InvalidArgumentError(`The range "${backwards}" runs backwards.`);
  return text;
}
