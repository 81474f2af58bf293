import type { Command } from 'commander';
import { defineDefault, examples, type Invoke } from '../declare.js';
import { onRunAt } from './place.js';

export function declareOrgs(orgs: Command, invoke: Invoke): void {
  orgs.addHelpText('after', examples(['ocr admin orgs', 'ocr admin orgs list --json']));
  const list = defineDefault(orgs, 'list', 'every organisation, oldest first').addHelpText(
    'after',
    examples(['ocr admin orgs list', 'ocr admin orgs list --json']),
  );
  onRunAt(
    list,
    invoke,
    async () => (await import('../../commands/admin/orgs/list.js')).list,
    () => ({}),
  );
}
