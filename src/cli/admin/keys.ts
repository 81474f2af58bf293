import { MOMENT_IN_WORDS } from '../../contract/moment.js';
import type { Command } from '../commander.js';
import { define, defineDefault, type Invoke, present, renderExamples } from '../declare.js';
import { addOrganisationFilter } from './list-filters.js';
import { onAdminRun, SOME_ORGANISATION } from './on-admin-run.js';
import { ownIdOf, parseOrganisation } from './own-ids.js';

const SOME_KEY = `"$(ocr admin keys create --org ${SOME_ORGANISATION} --json | jq -r .keyId)"`;

export function declareKeys(keys: Command, invoke: Invoke): void {
  keys.addHelpText('after', renderExamples(['ocr admin keys', 'ocr admin keys list --json']));
  const list = addOrganisationFilter(
    defineDefault(keys, 'list', 'keys by their last four characters, oldest first'),
  ).addHelpText(
    'after',
    renderExamples(['ocr admin keys list', `ocr admin keys list --json --org ${SOME_ORGANISATION}`]),
  );
  onAdminRun(
    list,
    invoke,
    async () => (await import('../../commands/admin/keys/list.js')).list,
    (command) => present<string>('orgId', command.opts().org) as { orgId?: string },
  );
  const create = define(keys, 'create', 'create a key and print it; it is not shown again')
    .option('--org <org>', 'the organisation, by its name or id', parseOrganisation)
    .option('--support', 'a key that reads requests and jobs of all organisations, and does nothing else')
    .option('--name <name>', 'what it is for')
    .option('--test', 'a key that begins with ocr_test_ instead of ocr_live_')
    .option('--expires <when>', `when it ends: ${MOMENT_IN_WORDS} (never)`)
    .option('--functions <ids>', 'the functions it may call, separated by commas (all)')
    .addHelpText(
      'after',
      renderExamples([
        `ocr admin keys create --org ${SOME_ORGANISATION} --name "scan station" --expires 90d`,
        `ocr admin keys create --org ${SOME_ORGANISATION} --functions TEXT_EXTRACTION --test --json`,
        'ocr admin keys create --support --name "help desk"',
      ]),
    );
  onAdminRun(
    create,
    invoke,
    async () => (await import('../../commands/admin/keys/create.js')).create,
    (command) => {
      const { org, support, name, test, expires, functions } = command.opts();
      return {
        isSupport: support === true,
        ...present<string>('orgId', org),
        isTest: test === true,
        ...present<string>('name', name),
        ...present<string>('expires', expires),
        ...present<string>('functions', functions),
      };
    },
  );
  const revoke = define(
    keys,
    'revoke <key>',
    'revoke a key for good: its id (key_…), or all of a key that leaked',
  ).addHelpText(
    'after',
    renderExamples([`ocr admin keys revoke ${SOME_KEY}`, `ocr admin keys revoke --json ${SOME_KEY}`]),
  );
  onAdminRun(
    revoke,
    invoke,
    async () => (await import('../../commands/admin/keys/revoke.js')).revoke,
    (command) => ({ idOrKey: ownIdOf(command) }),
  );
}
