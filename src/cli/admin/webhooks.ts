import { EVENT_TYPES, type EventType } from '../../contract/webhook-event.js';
import { type Command, Option } from '../commander.js';
import { addHelpProse, define, defineDefault, type Invoke, present, renderExamples } from '../declare.js';
import { parseEvents } from '../parse-events.js';
import { parsePositiveCount } from '../parse-option.js';
import { addOrganisationFilter, DEFAULT_LIMIT } from './list-filters.js';
import { onAdminRun } from './on-admin-run.js';
import { ownIdOf, parseOrganisation, parseOwnId } from './own-ids.js';

/** The ids below are for examples that run as printed. */
const SOME_ORGANISATION = `"$(ocr admin orgs create --name Archive --plan BUSINESS)"`;
const NEWEST_ENDPOINT = `"$(ocr admin webhooks list --json | jq -r '.[-1].endpointId')"`;
const NEWEST_DELIVERY = `"$(ocr admin webhooks deliveries --json | jq -r '.[0].deliveryId')"`;
/** An example that needs no name server. Loopback endpoints are refused unless allowed. */
const TO_THIS_MACHINE =
  'OCR_SERVE_WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 ocr admin webhooks add --url https://127.0.0.1:8443/ocr';

export function declareWebhooks(webhooks: Command, invoke: Invoke): void {
  webhooks.addHelpText('after', renderExamples(['ocr admin webhooks', 'ocr admin webhooks deliveries --status dead']));
  declareEndpoints(webhooks, invoke);
  declareDeliveries(webhooks, invoke);
  declareTest(webhooks, invoke);
}

function declareEndpoints(webhooks: Command, invoke: Invoke): void {
  const list = addOrganisationFilter(defineDefault(webhooks, 'list', 'endpoints, oldest first')).addHelpText(
    'after',
    renderExamples(['ocr admin webhooks', `ocr admin webhooks list --org ${SOME_ORGANISATION} --json`]),
  );
  onAdminRun(
    list,
    invoke,
    async () => (await import('../../commands/admin/webhooks/list.js')).list,
    (command) => present<string>('orgId', command.opts().org) as { orgId?: string },
  );
  const add = define(webhooks, 'add', 'register an endpoint and print its signing secret; it is not shown again')
    .requiredOption(
      '--org <org>',
      'whose documents it is told of, by its name or id; its plan must have webhooks',
      parseOrganisation,
    )
    .requiredOption('--url <url>', 'https, at a public address')
    .option('--events <list>', `which events: ${EVENT_TYPES.join(', ')} (all)`, parseEvents);
  addHelpProse(
    add,
    'Private addresses are refused unless OCR_SERVE_WEBHOOK_ALLOW_CIDRS, or the file of --config, allows their range; the service that delivers must be set likewise.',
  ).addHelpText(
    'after',
    renderExamples([
      `${TO_THIS_MACHINE} --org ${SOME_ORGANISATION}`,
      `${TO_THIS_MACHINE} --org ${SOME_ORGANISATION} --events document.failed --json`,
    ]),
  );
  onAdminRun(
    add,
    invoke,
    async () => (await import('../../commands/admin/webhooks/add.js')).add,
    (command) => {
      const { org, url, events: chosen } = command.opts();
      return { orgId: String(org), url: String(url), events: (chosen ?? []) as EventType[] };
    },
  );
  const remove = define(
    webhooks,
    'remove <endpointId>',
    'send nothing more to an endpoint, nor what waits for it',
  ).addHelpText(
    'after',
    renderExamples([
      `ocr admin webhooks remove ${NEWEST_ENDPOINT}`,
      `ocr admin webhooks remove --json ${NEWEST_ENDPOINT}`,
    ]),
  );
  onAdminRun(
    remove,
    invoke,
    async () => (await import('../../commands/admin/webhooks/remove.js')).remove,
    (command) => ({ endpointId: ownIdOf(command) }),
  );
  const rotate = define(
    webhooks,
    'rotate <endpointId>',
    'a new signing secret; the one before signs beside it for a day',
  ).addHelpText(
    'after',
    renderExamples([
      `ocr admin webhooks rotate ${NEWEST_ENDPOINT}`,
      `ocr admin webhooks rotate --json ${NEWEST_ENDPOINT}`,
    ]),
  );
  onAdminRun(
    rotate,
    invoke,
    async () => (await import('../../commands/admin/webhooks/rotate.js')).rotate,
    (command) => ({ endpointId: ownIdOf(command) }),
  );
}

function declareDeliveries(webhooks: Command, invoke: Invoke): void {
  const deliveries = addOrganisationFilter(
    define(webhooks, 'deliveries', 'what was sent and what is pending, newest first, with every attempt'),
  )
    .option('--endpoint <endpointId>', 'only to this endpoint', parseOwnId)
    .addOption(new Option('--status <status>', 'only in this state').choices(['pending', 'delivered', 'dead']))
    .option('--limit <count>', `at most this many (${DEFAULT_LIMIT})`, parsePositiveCount)
    .addHelpText(
      'after',
      renderExamples([
        'ocr admin webhooks deliveries --status dead',
        'ocr admin webhooks deliveries --limit 10 --json',
      ]),
    );
  onAdminRun(
    deliveries,
    invoke,
    async () => (await import('../../commands/admin/webhooks/deliveries.js')).deliveries,
    (command) => {
      const { org, endpoint, status, limit } = command.opts();
      return {
        ...present<string>('orgId', org),
        ...present<string>('endpointId', endpoint),
        ...present<'pending' | 'delivered' | 'dead'>('status', status),
        limit: (limit as number | undefined) ?? DEFAULT_LIMIT,
      };
    },
  );
  const resend = define(
    webhooks,
    'resend <deliveryId>',
    'send a delivery again under its id, in up to six new attempts',
  ).addHelpText(
    'after',
    renderExamples([
      `ocr admin webhooks resend ${NEWEST_DELIVERY}`,
      `ocr admin webhooks resend --json ${NEWEST_DELIVERY}`,
    ]),
  );
  onAdminRun(
    resend,
    invoke,
    async () => (await import('../../commands/admin/webhooks/resend.js')).resend,
    (command) => ({ deliveryId: ownIdOf(command) }),
  );
}

function declareTest(webhooks: Command, invoke: Invoke): void {
  const test = define(
    webhooks,
    'test <endpointId>',
    'send a sample delivery, marked as a test, with a valid signature, once',
  ).addHelpText(
    'after',
    renderExamples([`ocr admin webhooks test ${NEWEST_ENDPOINT}`, `ocr admin webhooks test --json ${NEWEST_ENDPOINT}`]),
  );
  onAdminRun(
    test,
    invoke,
    async () => (await import('../../commands/admin/webhooks/test.js')).test,
    (command) => ({ endpointId: ownIdOf(command) }),
  );
}
