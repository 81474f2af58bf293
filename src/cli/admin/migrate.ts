import type { Command } from '../commander.js';
import { type Invoke, renderExamples } from '../declare.js';
import { onAdminRun } from './on-admin-run.js';

export function declareMigrate(migrate: Command, invoke: Invoke): void {
  migrate.addHelpText(
    'after',
    renderExamples([
      'ocr admin migrate --database-url postgres://ocr@db.example/ocr',
      'ocr admin migrate --json --database-url postgres://ocr@db.example/ocr',
    ]),
  );
  onAdminRun(
    migrate,
    invoke,
    async () => (await import('../../commands/admin/migrate.js')).migrate,
    () => ({}),
  );
}
