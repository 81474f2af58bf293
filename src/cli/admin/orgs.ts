import { SUBSCRIPTIONS } from '../../contract/subscription.js';
import { type Command, Option } from '../commander.js';
import { define, defineDefault, type Invoke, present, renderExamples } from '../declare.js';
import { addLimitOptions, readLimitOptions } from './limit-options.js';
import { onAdminRun, SOME_ORGANISATION } from './on-admin-run.js';
import { organisationOf } from './own-ids.js';

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
  const get = define(orgs, 'get <org>', 'an organisation and what it has used in this period').addHelpText(
    'after',
    renderExamples([`ocr admin orgs get ${SOME_ORGANISATION}`, `ocr admin orgs get --json ${SOME_ORGANISATION}`]),
  );
  onAdminRun(
    get,
    invoke,
    async () => (await import('../../commands/admin/orgs/get.js')).get,
    (command) => ({ orgId: organisationOf(command) }),
  );
  const update = addLimitOptions(
    define(orgs, 'update <org>', 'change its plan, its subscription, or limits for it alone'),
    { asPlan: true },
  )
    .option('--plan <plan>', 'TRIAL, STARTER, BUSINESS, ENTERPRISE, or a plan of your own')
    .option('--reset-limits', "its plan's limits again")
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
        `ocr admin orgs update ${SOME_ORGANISATION} --documents-per-period 500 --page-cap plan`,
      ]),
    );
  onAdminRun(
    update,
    invoke,
    async () => (await import('../../commands/admin/orgs/update.js')).update,
    (command) => {
      const { plan, subscription, resetLimits } = command.opts();
      return {
        orgId: organisationOf(command),
        limits: readLimitOptions(command),
        resetsLimits: resetLimits === true,
        ...present<string>('plan', plan),
        ...present<string>('subscription', subscription),
      };
    },
  );
  const rename = define(orgs, 'rename <org> <name>', 'give it another name').addHelpText(
    'after',
    renderExamples([
      `ocr admin orgs rename ${SOME_ORGANISATION} "Alder Vale Archive"`,
      `ocr admin orgs rename ${SOME_ORGANISATION} "Alder Vale Archive" --json`,
    ]),
  );
  onAdminRun(
    rename,
    invoke,
    async () => (await import('../../commands/admin/orgs/rename.js')).rename,
    (command) => ({ orgId: organisationOf(command), name: command.args[1] ?? '' }),
  );
  const remove = define(
    orgs,
    'delete <org>',
    'remove it with its documents, results and endpoints; none of its keys may be active',
  )
    .option('--yes', 'for good')
    .addHelpText(
      'after',
      renderExamples([
        `ocr admin orgs delete ${SOME_ORGANISATION} --yes`,
        `ocr admin orgs delete ${SOME_ORGANISATION} --yes --json`,
      ]),
    );
  onAdminRun(
    remove,
    invoke,
    async () => (await import('../../commands/admin/orgs/delete.js')).remove,
    (command) => ({ orgId: organisationOf(command), isConfirmed: command.opts().yes === true }),
  );
}
