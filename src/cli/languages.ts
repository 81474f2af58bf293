import type { Command } from './commander.js';
import { define, defineDefault, type Invoke, onRun, renderExamples } from './declare.js';

export function declareLanguages(languages: Command, invoke: Invoke): void {
  languages.addHelpText('after', renderExamples(['ocr languages', 'ocr languages install deu']));
  onRun(
    defineDefault(languages, 'list', 'languages that are installed, and those that can be').addHelpText(
      'after',
      renderExamples(['ocr languages list', 'ocr languages list --json']),
    ),
    invoke,
    async () => (await import('../commands/languages/list.js')).list,
    () => ({}),
  );
  onRun(
    define(languages, 'install <language...>', 'install languages from npm’s registry, for this user').addHelpText(
      'after',
      renderExamples(['ocr languages install deu', 'ocr languages install fr it']),
    ),
    invoke,
    async () => (await import('../commands/languages/install.js')).install,
    (command) => ({ languages: command.args }),
  );
}
