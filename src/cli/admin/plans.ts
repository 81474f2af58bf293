import type { Command } from '../commander.js';
import { define, defineDefault, type Invoke, renderExamples } from '../declare.js';
import { addPlanOptions, readLimitOptions } from './limit-options.js';
import { onAdminRun } from './on-admin-run.js';

export function declarePlans(plans: Command, invoke: Invoke): void {
  plans.addHelpText('after', renderExamples(['ocr admin plans', 'ocr admin plans list --json']));
  const list = defineDefault(plans, 'list', 'every plan, from the smallest to the largest').addHelpText(
    'after',
    renderExamples(['ocr admin plans list', 'ocr admin plans list --json']),
  );
  onAdminRun(
    list,
    invoke,
    async () => (await import('../../commands/admin/plans/list.js')).list,
    () => ({}),
  );
  const get = define(plans, 'get <plan>', 'what a plan allows').addHelpText(
    'after',
    renderExamples(['ocr admin plans get BUSINESS', 'ocr admin plans get TRIAL --json']),
  );
  onAdminRun(
    get,
    invoke,
    async () => (await import('../../commands/admin/plans/get.js')).get,
    (command) => ({ plan: command.args[0] ?? '' }),
  );
  const create = addPlanOptions(define(plans, 'create <plan>', 'create a plan of your own, with the limits of another'))
    .requiredOption('--from <plan>', 'the plan whose limits it has, except those that are given')
    .addHelpText(
      'after',
      renderExamples([
        'ocr admin plans create SCHOOLS --from STARTER --documents-per-period 5000',
        'ocr admin plans create MAILROOM --from BUSINESS --page-cap none --json',
      ]),
    );
  onAdminRun(
    create,
    invoke,
    async () => (await import('../../commands/admin/plans/create.js')).create,
    (command) => ({
      plan: command.args[0] ?? '',
      from: String(command.opts().from),
      change: readLimitOptions(command),
    }),
  );
  const remove = define(plans, 'delete <plan>', 'remove a plan of your own that no organisation has').addHelpText(
    'after',
    renderExamples(['ocr admin plans delete SCHOOLS', 'ocr admin plans delete SCHOOLS --json']),
  );
  onAdminRun(
    remove,
    invoke,
    async () => (await import('../../commands/admin/plans/delete.js')).remove,
    (command) => ({ plan: command.args[0] ?? '' }),
  );
  const set = addPlanOptions(
    define(plans, 'set <plan>', 'change what a plan allows, for every organisation that has it'),
  ).addHelpText(
    'after',
    renderExamples([
      'ocr admin plans set STARTER --documents-per-period 2000 --page-cap 200',
      'ocr admin plans set ENTERPRISE --documents-per-period none --functions all --webhooks --json',
      'ocr admin plans set BUSINESS --weight 4',
    ]),
  );
  onAdminRun(
    set,
    invoke,
    async () => (await import('../../commands/admin/plans/set.js')).set,
    (command) => ({ plan: command.args[0] ?? '', change: readLimitOptions(command) }),
  );
}
