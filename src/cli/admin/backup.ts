import type { Command } from '../commander.js';
import { type Invoke, renderExamples } from '../declare.js';
import { onAdminRun } from './on-admin-run.js';

export function declareBackup(backup: Command, invoke: Invoke): void {
  backup
    .argument('<dir>', 'where the copy goes; new, or empty')
    .addHelpText('after', renderExamples(['ocr admin backup copy', 'ocr admin backup --json "copy of $(date +%F)"']));
  onAdminRun(
    backup,
    invoke,
    async () => (await import('../../commands/admin/backup.js')).backup,
    (command) => ({ directory: command.args[0] ?? '' }),
  );
}
