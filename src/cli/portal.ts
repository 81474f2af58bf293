import type { Command } from './commander.js';
import { addHelpProse, type Invoke, onRun, renderExamples } from './declare.js';

export function declarePortal(portal: Command, invoke: Invoke): void {
  addHelpProse(
    portal,
    'The pages of this machine’s own organisation: its calls, jobs and keys. A link to the pages of another service is made by its operator, with ocr admin portal.',
  ).addHelpText('after', renderExamples(['ocr portal', 'ocr portal --json']));
  onRun(
    portal,
    invoke,
    async () => (await import('../commands/portal.js')).portal,
    () => ({}),
  );
}
