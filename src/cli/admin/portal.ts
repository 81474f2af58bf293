import { type Command, Option } from '../commander.js';
import { type Invoke, present, renderExamples } from '../declare.js';
import { onAdminRun, SOME_ORGANISATION } from './on-admin-run.js';
import { parseOrganisation } from './own-ids.js';

const ROLES = ['owner', 'member', 'support', 'operator'];

export function declarePortal(portal: Command, invoke: Invoke): void {
  portal
    .option('--org <org>', 'the organisation of an owner or a member, by its name or id', parseOrganisation)
    .addOption(
      new Option('--role <role>', 'what the person may do; support and operators see every organisation')
        .choices(ROLES)
        .default('owner'),
    )
    .option('--name <who>', 'who enters, for the audit log (the role)')
    .addHelpText(
      'after',
      renderExamples([
        `ocr admin portal --org ${SOME_ORGANISATION} --name "Ada Hill"`,
        `ocr admin portal --org ${SOME_ORGANISATION} --role member --json`,
        'ocr admin portal --role operator',
      ]),
    );
  onAdminRun(
    portal,
    invoke,
    async () => (await import('../../commands/admin/portal.js')).portal,
    (command) => {
      const { org, role, name } = command.opts();
      return { role, ...present<string>('orgId', org), ...present<string>('name', name) };
    },
  );
}
