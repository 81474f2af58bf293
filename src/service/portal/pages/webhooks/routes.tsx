import { OcrError } from '../../../../contract/ocr-error.js';
import { EVENT_TYPES, isEventType } from '../../../../contract/webhook-event.js';
import { findPlanOf } from '../../../../store/plans.js';
import { countDead, resendDead, resendDelivery } from '../../../../store/webhook-deliveries.js';
import { removeEndpoint } from '../../../../store/webhooks.js';
import { sendTest } from '../../../administration/webhook-deliveries.js';
import { addEndpoint } from '../../../administration/webhooks.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { RepeatedPage, SecretPage } from '../../components/secret-page.js';
import { Time } from '../../components/time.js';
import { mintNonce, NONCE_FIELD, readNonce } from '../../doors/form-nonces.js';
import { originOf, ownScopeOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { EVERYBODY, MEMBERS, OWNERS } from '../../roles.js';
import {
  type EndpointLine,
  findDelivery,
  isEndpointKnown,
  readDeliveries,
  readEndpoints,
  rotateSecret,
} from '../../scoped/webhooks.js';
import { answerChoice } from '../choose-organisation.js';
import { renderExample } from '../request-logs/curl.js';
import { WEBHOOKS_PATH } from './cells.js';
import { CheckPage } from './check-page.js';
import { CreatePage, type TypedEndpoint } from './create-page.js';
import { DeliveryPage } from './delivery-page.js';
import { EndpointPage } from './endpoint-page.js';
import { ListPage } from './list-page.js';
import { RemovePage, ResendDeadPage, RotatePage, SPANS } from './questions.js';
import { readFilter } from './read-filter.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const ABOVE = { title: 'Webhooks', path: WEBHOOKS_PATH };

export const WEBHOOK_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: WEBHOOKS_PATH, roles: EVERYBODY, live: ['deliveries', 'settings'], answer: answerList },
  { method: 'GET', path: `${WEBHOOKS_PATH}/new`, roles: OWNERS, answer: answerForm },
  { method: 'POST', path: `${WEBHOOKS_PATH}/new`, roles: OWNERS, answer: add },
  { method: 'GET', path: `${WEBHOOKS_PATH}/resend-dead`, roles: MEMBERS, answer: askToResend },
  { method: 'POST', path: `${WEBHOOKS_PATH}/resend-dead`, roles: MEMBERS, answer: resendAll },
  { method: 'GET', path: `${WEBHOOKS_PATH}/check-signature`, roles: EVERYBODY, answer: answerCheck },
  {
    method: 'GET',
    path: `${WEBHOOKS_PATH}/deliveries/:deliveryId`,
    roles: EVERYBODY,
    live: ['deliveries'],
    answer: answerDelivery,
  },
  { method: 'POST', path: `${WEBHOOKS_PATH}/deliveries/:deliveryId/resend`, roles: MEMBERS, answer: resendOne },
  {
    method: 'GET',
    path: `${WEBHOOKS_PATH}/:endpointId`,
    roles: EVERYBODY,
    live: ['deliveries', 'settings'],
    answer: answerEndpoint,
  },
  { method: 'POST', path: `${WEBHOOKS_PATH}/:endpointId/test`, roles: MEMBERS, answer: test },
  { method: 'GET', path: `${WEBHOOKS_PATH}/:endpointId/rotate`, roles: OWNERS, answer: askToRotate },
  { method: 'POST', path: `${WEBHOOKS_PATH}/:endpointId/rotate`, roles: OWNERS, answer: rotate },
  { method: 'GET', path: `${WEBHOOKS_PATH}/:endpointId/remove`, roles: OWNERS, answer: askToRemove },
  { method: 'POST', path: `${WEBHOOKS_PATH}/:endpointId/remove`, roles: OWNERS, answer: remove },
];

async function answerList(call: PortalCall): Promise<PortalAnswer> {
  if (call.organisationId === undefined) return await answerChoice(call, 'Webhooks');
  const read = readFilter(call.url.searchParams);
  const endpoints = await listOwn(call);
  const isRefused = read.errors.length > 0;
  const part = isRefused ? { rows: [], olderThan: undefined } : await readDeliveries(ownScopeOf(call), read.filter);
  const plan = await findPlanOf(call.store, call.organisationId);
  const hasWebhooks = plan?.hasWebhooks === true;
  const example = renderExample(originOf(call));
  return answerPage(<ListPage frame={call.frame} {...{ endpoints, read, part, hasWebhooks, example }} />);
}

async function listOwn(call: PortalCall): Promise<EndpointLine[]> {
  return await readEndpoints(ownScopeOf(call), call.store.clock.now() - DAY_MS);
}

/** Finds the endpoint of the address. @throws PortalNotFound for another's, and for a removed one */
async function requireEndpoint(call: PortalCall): Promise<EndpointLine> {
  const endpoint = (await listOwn(call)).find(({ id }) => id === call.params.endpointId);
  if (endpoint === undefined) throw new PortalNotFound();
  return endpoint;
}

async function answerEndpoint(call: PortalCall): Promise<PortalAnswer> {
  const endpoint = await requireEndpoint(call);
  return answerPage(<EndpointPage frame={call.frame} endpoint={endpoint} nowMs={call.store.clock.now()} />);
}

async function answerForm(call: PortalCall): Promise<PortalAnswer> {
  const nonce = mintNonce(placeOf(call), call.store.clock.now());
  return answerPage(<CreatePage frame={call.frame} typed={{ url: '', events: [], errors: [] }} nonce={nonce} />);
}

async function add(call: PortalCall): Promise<PortalAnswer> {
  const { form, frame, store, components } = call;
  const scope = ownScopeOf(call);
  const id = readNonce(placeOf(call), form.get(NONCE_FIELD));
  const typed = readForm(form);
  const refuse = (refused: TypedEndpoint) => {
    const nonce = mintNonce(placeOf(call), store.clock.now());
    return answerPage(<CreatePage frame={frame} typed={refused} nonce={nonce} />, 422);
  };
  if (id === undefined || typed.errors.length > 0) return refuse(typed);
  if (await isEndpointKnown(scope, id)) return answerRepeated(call);
  const administration = { store, config: components.config, openBox: async () => components.box };
  const request = {
    id,
    orgId: scope.organisationId,
    url: typed.url.trim(),
    events: typed.events.filter(isEventType),
  };
  try {
    const { secret } = await addEndpoint(administration, request);
    return answerSecret(call, 'Endpoint created', secret);
  } catch (error) {
    if (!(error instanceof OcrError)) throw error;
    if (await isEndpointKnown(scope, id)) return answerRepeated(call);
    return refuse({ ...typed, errors: [{ field: 'url', message: error.message }] });
  }
}

function readForm(form: URLSearchParams): TypedEndpoint {
  const [url, events] = [form.get('url') ?? '', form.getAll('events')];
  const errors = [
    ...(url.trim() === '' ? [{ field: 'url', message: 'Type the URL of the receiver' }] : []),
    ...(events.every(isEventType)
      ? []
      : [{ field: 'events', message: `Choose among these events: ${EVENT_TYPES.join(', ')}` }]),
  ];
  return { url, events, errors };
}

async function askToRotate(call: PortalCall): Promise<PortalAnswer> {
  return answerPage(<RotatePage frame={call.frame} endpoint={await requireEndpoint(call)} />);
}

async function rotate(call: PortalCall): Promise<PortalAnswer> {
  const { form, params, components } = call;
  const wanted = { endpointId: params.endpointId ?? '', secretDigest: form.get('secretDigest') };
  const rotated = await rotateSecret(ownScopeOf(call), components.box, wanted);
  if (rotated === undefined) throw new PortalNotFound();
  if (rotated === 'repeated') return answerRepeated(call);
  return answerSecret(call, 'Secret rotated', rotated.secret, rotated.untilMs);
}

async function askToRemove(call: PortalCall): Promise<PortalAnswer> {
  return answerPage(<RemovePage frame={call.frame} endpoint={await requireEndpoint(call)} />);
}

async function remove(call: PortalCall): Promise<PortalAnswer> {
  const { store, organisationId } = ownScopeOf(call);
  const isRemoved = await removeEndpoint(store, call.params.endpointId ?? '', store.clock.now(), organisationId);
  if (!isRemoved) throw new PortalNotFound();
  return answerRedirect(hrefOf(call.frame, WEBHOOKS_PATH));
}

async function test(call: PortalCall): Promise<PortalAnswer> {
  const { store, organisationId } = ownScopeOf(call);
  const { id } = await requireEndpoint(call);
  const { deliveryId } = await sendTest({ store }, id, organisationId);
  wakeSender(call);
  return answerRedirect(hrefOf(call.frame, `${WEBHOOKS_PATH}/deliveries/${deliveryId}`));
}

async function answerDelivery(call: PortalCall): Promise<PortalAnswer> {
  const delivery = await findDelivery(ownScopeOf(call), call.params.deliveryId ?? '');
  if (delivery === undefined) throw new PortalNotFound();
  const canResend = (await listOwn(call)).some(({ id }) => id === delivery.endpointId);
  return answerPage(<DeliveryPage frame={call.frame} delivery={delivery} canResend={canResend} />);
}

/** The body of a delivery of the address is there already. */
async function answerCheck(call: PortalCall): Promise<PortalAnswer> {
  const deliveryId = call.url.searchParams.get('delivery');
  const delivery = deliveryId === null ? undefined : await findDelivery(ownScopeOf(call), deliveryId);
  if (deliveryId !== null && delivery === undefined) throw new PortalNotFound();
  return answerPage(<CheckPage frame={call.frame} body={delivery?.body ?? ''} />);
}

async function resendOne(call: PortalCall): Promise<PortalAnswer> {
  const { store, organisationId } = ownScopeOf(call);
  const { deliveryId = '' } = call.params;
  const outcome = await resendDelivery(store, deliveryId, store.clock.now(), organisationId);
  if (outcome === 'unknown') throw new PortalNotFound();
  wakeSender(call);
  return answerRedirect(hrefOf(call.frame, `${WEBHOOKS_PATH}/deliveries/${deliveryId}`));
}

async function askToResend(call: PortalCall): Promise<PortalAnswer> {
  const { store, organisationId } = ownScopeOf(call);
  const { searchParams } = call.url;
  const span = SPANS.find(({ name }) => name === searchParams.get('since')) ?? SPANS[1];
  const endpointId = searchParams.get('endpoint') ?? undefined;
  const sinceMs = store.clock.now() - span.ms;
  const dead = await store.read(countDead({ organisationId, sinceMs, endpointId }));
  return answerPage(
    <ResendDeadPage frame={call.frame} span={span} sinceMs={sinceMs} endpointId={endpointId} dead={dead} />,
  );
}

async function resendAll(call: PortalCall): Promise<PortalAnswer> {
  const { store, organisationId } = ownScopeOf(call);
  const sinceMs = Number(call.form.get('since') ?? Number.NaN);
  if (!Number.isSafeInteger(sinceMs) || sinceMs < 0) return answerRedirect(hrefOf(call.frame, WEBHOOKS_PATH));
  const endpointId = call.form.get('endpoint') ?? undefined;
  await resendDead(store, { organisationId, sinceMs, endpointId }, store.clock.now());
  wakeSender(call);
  return answerRedirect(hrefOf(call.frame, WEBHOOKS_PATH, { endpoint: endpointId }));
}

function wakeSender({ components }: PortalCall): void {
  components.webhooks.wake();
  components.store.bell.ring('webhook');
}

function answerSecret({ frame }: PortalCall, title: string, secret: string, untilMs?: number): PortalAnswer {
  return answerPage(
    <SecretPage frame={frame} title={title} above={ABOVE} what="signing secret" secret={secret}>
      <p>
        The receiver checks each delivery with it.
        {untilMs === undefined ? null : (
          <>
            {' '}
            The old one signs too until <Time ms={untilMs} />.
          </>
        )}
      </p>
    </SecretPage>,
  );
}

function answerRepeated({ frame }: PortalCall): PortalAnswer {
  return answerPage(
    <RepeatedPage frame={frame} title="Made before" above={ABOVE} what="signing secret">
      If nobody has copied it, rotate the secret of the endpoint.
    </RepeatedPage>,
    409,
  );
}

function placeOf(call: PortalCall) {
  return { token: call.session.token, organisationId: ownScopeOf(call).organisationId, prefix: 'whe' as const };
}
