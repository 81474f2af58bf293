import type { Command } from '../commander.js';
import { type Invoke, renderExamples } from '../declare.js';
import { onAdminRun } from './on-admin-run.js';

export function declareImport(command: Command, invoke: Invoke): void {
  command
    .argument('<dir>', 'the data directory of a service that is stopped')
    .addHelpText(
      'after',
      renderExamples([
        'ocr admin import /var/lib/ocr --database-url postgres://ocr@db.example/ocr',
        'ocr admin import /var/lib/ocr --json --database-url postgres://ocr@db.example/ocr',
      ]),
    );
  onAdminRun(
    command,
    invoke,
    async () => (await import('../../commands/admin/import.js')).importData,
    (known) => ({ directory: known.args[0] ?? '' }),
  );
}
