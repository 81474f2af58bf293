import type { Command } from './commander.js';
import { type Invoke, onRun, renderExamples, takeOnce } from './declare.js';
import { addDocumentOptions, readDocumentOptions } from './document-options.js';

export function declareWatch(watch: Command, invoke: Invoke): void {
  watch.argument('<dir...>', 'directories to watch, with those below them');
  addDocumentOptions(watch)
    .requiredOption('--output-dir <dir>', 'write each result to a file of its own in a directory')
    .option('--once', 'take what is there, and end as a batch does')
    .option('--poll', 'look every 2 s instead of waiting for the system to tell of changes')
    .addHelpText(
      'after',
      renderExamples([
        'ocr watch scans --output-dir texts --once',
        'ocr watch scans --output-dir tables -f tables --once --json',
      ]),
    );
  takeOnce(watch, ['output-dir']);
  onRun(
    watch,
    invoke,
    async () => (await import('../commands/watch/watch.js')).watch,
    (command) => {
      const { outputDir, once, poll } = command.opts();
      return {
        ...readDocumentOptions(command),
        inputs: command.args,
        outputDir: outputDir as string,
        isOnce: once === true,
        polls: poll === true,
        isAwaited: true,
        isNulSeparated: false,
        failsFast: false,
        isDryRun: false,
        isForced: false,
        skipsExisting: true,
        isFresh: false,
      };
    },
  );
}
