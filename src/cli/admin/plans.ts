import type { Command } from '../commander.js';
import { define, defineDefault, type Invoke, present, renderExamples, takeOneOf } from '../declare.js';
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
  const set = define(plans, 'set <plan>', 'change what a plan allows, for every organisation that has it')
    .option('--requests-per-window <n>', 'calls of an organisation in a window of 60 s')
    .option('--documents-per-period <n|none>', 'documents in a month, or in a trial')
    .option('--page-cap <n|none>', 'pages of a document')
    .option('--functions <ids|all>', 'the functions it includes, separated by commas')
    .option('--webhooks', 'with webhooks')
    .option('--no-webhooks', 'without webhooks')
    .addHelpText(
      'after',
      renderExamples([
        'ocr admin plans set STARTER --documents-per-period 2000 --page-cap 200',
        'ocr admin plans set ENTERPRISE --documents-per-period none --functions all --webhooks --json',
      ]),
    );
  takeOneOf(set, ['webhooks', 'no-webhooks']);
  onAdminRun(
    set,
    invoke,
    async () => (await import('../../commands/admin/plans/set.js')).set,
    (command) => {
      const { requestsPerWindow, documentsPerPeriod, pageCap, functions, webhooks } = command.opts();
      return {
        plan: command.args[0] ?? '',
        change: {
          ...present<string>('requestsPerWindow', requestsPerWindow),
          ...present<string>('documentsPerPeriod', documentsPerPeriod),
          ...present<string>('pageCap', pageCap),
          ...present<string>('functions', functions),
          ...present<boolean>('webhooks', webhooks),
        },
      };
    },
  );
}
