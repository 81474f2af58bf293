import type { Command } from './commander.js';
import { type Invoke, onRun, renderExamples } from './declare.js';

export function declarePortal(portal: Command, invoke: Invoke): void {
  portal.addHelpText('after', renderExamples(['ocr portal', 'ocr portal --json']));
  onRun(
    portal,
    invoke,
    async () => (await import('../commands/portal.js')).portal,
    () => ({}),
  );
}
