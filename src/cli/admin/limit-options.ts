import type { Command } from '../commander.js';
import { present, takeOneOf } from '../declare.js';

/** Adds the options for a plan: its limits, and what it weighs. */
export function addPlanOptions(command: Command): Command {
  return addLimitOptions(command).option('--weight <n>', 'its share of workers that are all taken, beside other plans');
}

/** Adds the options for the limits of a plan; with `asPlan` for those of one organisation. */
export function addLimitOptions(command: Command, { asPlan = false } = {}): Command {
  const more = asPlan ? '|plan' : '';
  takeOneOf(command, ['webhooks', 'no-webhooks']);
  return command
    .option(`--requests-per-window <n${more}>`, 'calls of an organisation in a window of 60 s')
    .option(`--documents-per-period <n|none${more}>`, 'documents in a month, or in a trial')
    .option(`--page-cap <n|none${more}>`, 'pages of a document')
    .option(`--functions <ids|all${more}>`, 'the functions it includes, separated by commas')
    .option('--webhooks', 'with webhooks')
    .option('--no-webhooks', 'without webhooks');
}

export function readLimitOptions(command: Command) {
  const { requestsPerWindow, documentsPerPeriod, pageCap, functions, webhooks, weight } = command.opts();
  return {
    ...present<string>('requestsPerWindow', requestsPerWindow),
    ...present<string>('documentsPerPeriod', documentsPerPeriod),
    ...present<string>('pageCap', pageCap),
    ...present<string>('functions', functions),
    ...present<boolean>('webhooks', webhooks),
    ...present<string>('weight', weight),
  };
}
