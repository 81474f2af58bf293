import type { Command } from './commander.js';
import { type Invoke, onRun, renderExamples } from './declare.js';

export function declareUsage(usage: Command, invoke: Invoke): void {
  usage.addHelpText('after', renderExamples(['ocr usage', 'ocr usage --json']));
  onRun(
    usage,
    invoke,
    async () => (await import('../commands/usage.js')).usage,
    () => ({}),
  );
}
