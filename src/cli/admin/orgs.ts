import { SUBSCRIPTIONS } from '../../contract/subscription.js';
import { type Command, Option } from '../commander.js';
import { define, defineDefault, type Invoke, present, renderExamples } from '../declare.js';
import { onAdminRun, SOME_ORGANISATION } from './on-admin-run.js';
import { ownIdOf } from './own-ids.js';

export function declareOrgs(orgs: Command, invoke: Invoke): void {
  orgs.addHelpText('after', renderExamples(['ocr admin orgs', 'ocr admin orgs list --json']));
  const list = defineDefault(orgs, 'list', 'every organisation, oldest first').addHelpText(
    'after',
    renderExamples(['ocr admin orgs list', 'ocr admin orgs list --json']),
  );
  onAdminRun(
    list,
    invoke,
    async () => (await import('../../commands/admin/orgs/list.js')).list,
    () => ({}),
  );
  const create = define(orgs, 'create', 'create an organisation and print its id')
    .requiredOption('--name <name>', 'its name')
    .option('--plan <plan>', 'its plan (TRIAL, for 30 days)')
    .addHelpText(
      'after',
      renderExamples([
        'ocr admin orgs create --name "Alder Vale Library"',
        'ocr admin orgs create --name "Alder Vale Library" --plan BUSINESS --json',
      ]),
    );
  onAdminRun(
    create,
    invoke,
    async () => (await import('../../commands/admin/orgs/create.js')).create,
    (command) => {
      const { name, plan } = command.opts();
      return { name: String(name), ...present<string>('plan', plan) };
    },
  );
  const get = define(orgs, 'get <orgId>', 'an organisation and what it has used in this period').addHelpText(
    'after',
    renderExamples([`ocr admin orgs get ${SOME_ORGANISATION}`, `ocr admin orgs get --json ${SOME_ORGANISATION}`]),
  );
  onAdminRun(
    get,
    invoke,
    async () => (await import('../../commands/admin/orgs/get.js')).get,
    (command) => ({ orgId: ownIdOf(command) }),
  );
  const update = define(orgs, 'update <orgId>', 'change its plan or its subscription')
    .option('--plan <plan>', 'TRIAL, STARTER, BUSINESS or ENTERPRISE')
    .addOption(
      new Option('--subscription <state>', 'expired, canceled and suspended ones are refused with 402').choices(
        SUBSCRIPTIONS,
      ),
    )
    .addHelpText(
      'after',
      renderExamples([
        `ocr admin orgs update ${SOME_ORGANISATION} --plan BUSINESS --subscription active`,
        `ocr admin orgs update ${SOME_ORGANISATION} --subscription suspended --json`,
      ]),
    );
  onAdminRun(
    update,
    invoke,
    async () => (await import('../../commands/admin/orgs/update.js')).update,
    (command) => {
      const { plan, subscription } = command.opts();
      return {
        orgId: ownIdOf(command),
        ...present<string>('plan', plan),
        ...present<string>('subscription', subscription),
      };
    },
  );
}
