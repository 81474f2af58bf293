import { countCallsByKey } from '../../../../store/request-counts.js';
import { stateOfKey } from '../../../administration/keys.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { RepeatedPage, SecretPage } from '../../components/secret-page.js';
import { Time } from '../../components/time.js';
import { mintNonce, NONCE_FIELD, readNonce } from '../../doors/form-nonces.js';
import { originOf, ownScopeOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { EVERYBODY, OWNERS } from '../../roles.js';
import { createKey, findKey, readKeys, replaceKey, revokeKey } from '../../scoped/keys.js';
import { answerChoice } from '../choose-organisation.js';
import { forgetAccess } from '../forget-access.js';
import { readBefore, readOption, readTyped } from '../read-query.js';
import { renderExample } from '../request-logs/curl.js';
import { CreatePage } from './create-page.js';
import type { KeyLine } from './key-cells.js';
import { KeyPage } from './key-page.js';
import { KEY_STATES, KEYS_PATH, ListPage } from './list-page.js';
import { EndedKeyPage, RevokePage, RollPage } from './questions.js';
import { describeNewKey, EMPTY_KEY, readNewKey } from './read-new-key.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const ABOVE = { title: 'API Keys', path: KEYS_PATH };
const NO_CALLS = { n: 0, isAtLeast: false };

export const API_KEY_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: KEYS_PATH, roles: EVERYBODY, live: ['calls', 'settings'], answer: answerList },
  { method: 'GET', path: `${KEYS_PATH}/new`, roles: OWNERS, answer: answerForm },
  { method: 'POST', path: `${KEYS_PATH}/new`, roles: OWNERS, answer: create },
  { method: 'GET', path: `${KEYS_PATH}/:keyId`, roles: EVERYBODY, live: ['calls', 'settings'], answer: answerKey },
  { method: 'GET', path: `${KEYS_PATH}/:keyId/roll`, roles: OWNERS, answer: askToRoll },
  { method: 'POST', path: `${KEYS_PATH}/:keyId/roll`, roles: OWNERS, answer: roll },
  { method: 'GET', path: `${KEYS_PATH}/:keyId/revoke`, roles: OWNERS, answer: askToRevoke },
  { method: 'POST', path: `${KEYS_PATH}/:keyId/revoke`, roles: OWNERS, answer: revoke },
];

async function answerList(call: PortalCall): Promise<PortalAnswer> {
  if (call.organisationId === undefined) return await answerChoice(call, 'API Keys');
  const { frame, store, url } = call;
  const query = readTyped(url.searchParams, { state: 'State' });
  const errors: Array<{ field: string; message: string }> = [];
  const state = readOption({ name: 'state', label: 'State', options: KEY_STATES }, query.state, errors);
  const before = readBefore(url.searchParams, 'key');
  const filter = { before, ...(state === undefined ? {} : { state }) };
  const part = errors.length > 0 ? { rows: [], olderThan: undefined } : await readKeys(ownScopeOf(call), filter);
  const calls = await countCalls(call);
  const rows = part.rows.map((key) => ({ ...key, calls: calls(key.id) }));
  return answerPage(
    <ListPage
      frame={frame}
      part={{ rows, olderThan: part.olderThan }}
      query={query}
      errors={errors}
      isOlderPage={before !== undefined}
      nowMs={store.clock.now()}
      example={renderExample(originOf(call))}
    />,
  );
}

/** Counts the calls of a day by key. */
async function countCalls(call: PortalCall) {
  const { store, organisationId } = ownScopeOf(call);
  await call.components.requests.flush();
  const counts = await store.read(countCallsByKey(organisationId, store.clock.now() - DAY_MS));
  const byKey = new Map(counts.map(({ keyId, ...count }) => [keyId, count]));
  return (keyId: string) => byKey.get(keyId) ?? NO_CALLS;
}

/** Finds the key of the address. @throws PortalNotFound for another's */
async function requireKey(call: PortalCall): Promise<KeyLine> {
  const key = await findKey(ownScopeOf(call), call.params.keyId ?? '');
  if (key === undefined) throw new PortalNotFound();
  return { ...key, calls: (await countCalls(call))(key.id) };
}

async function answerKey(call: PortalCall): Promise<PortalAnswer> {
  const apiKey = await requireKey(call);
  return answerPage(<KeyPage frame={call.frame} apiKey={apiKey} nowMs={call.store.clock.now()} />);
}

async function answerForm(call: PortalCall): Promise<PortalAnswer> {
  return answerPage(<CreatePage frame={call.frame} typed={EMPTY_KEY} nonce={nonceFor(call)} />);
}

async function create(call: PortalCall): Promise<PortalAnswer> {
  const { frame, form, session, store } = call;
  const scope = ownScopeOf(call);
  const id = readNonce(placeOf(call), form.get(NONCE_FIELD));
  const typed = readNewKey(form);
  if (id === undefined || typed.errors.length > 0)
    return answerPage(<CreatePage frame={frame} typed={typed} nonce={nonceFor(call)} />, 422);
  const options = { ...describeNewKey(typed, store.clock.now()), id, madeBy: session.name };
  const key = await createKey(scope, options);
  if (key === undefined) return answerRepeated(call, id);
  return answerPage(
    <SecretPage frame={frame} title="API key created" above={ABOVE} what="API key" secret={key}>
      <p>Programs send it as a bearer token, or read it from OCR_API_KEY.</p>
    </SecretPage>,
  );
}

async function askToRoll(call: PortalCall): Promise<PortalAnswer> {
  const { frame, store } = call;
  const apiKey = await requireKey(call);
  const state = stateOfKey(apiKey, store.clock.now());
  if (state !== 'active') return answerPage(<EndedKeyPage {...{ frame, apiKey, state }} />, 409);
  return answerPage(<RollPage frame={frame} apiKey={apiKey} nonce={nonceFor(call)} />);
}

async function roll(call: PortalCall): Promise<PortalAnswer> {
  const { frame, session } = call;
  const old = await requireKey(call);
  const id = readNonce(placeOf(call), call.form.get(NONCE_FIELD));
  if (id === undefined) return answerPage(<RollPage frame={frame} apiKey={old} nonce={nonceFor(call)} />, 422);
  const rolled = await replaceKey(ownScopeOf(call), old.id, id, session.name);
  if (rolled === 'repeated') return answerRepeated(call, id);
  if (rolled === 'not-active') return answerRedirect(hrefOf(frame, `${KEYS_PATH}/${old.id}`));
  forgetAccess(call);
  return answerPage(
    <SecretPage frame={frame} title="API key rolled" above={ABOVE} what="API key" secret={rolled.key}>
      <p>
        The old key …{old.lastFour} ends <Time ms={rolled.oldEndsAtMs} />. Put the new one in its place until then.
      </p>
    </SecretPage>,
  );
}

async function askToRevoke(call: PortalCall): Promise<PortalAnswer> {
  const { frame } = call;
  const apiKey = await requireKey(call);
  if (apiKey.revokedAtMs !== null) return answerPage(<EndedKeyPage {...{ frame, apiKey, state: 'revoked' }} />, 409);
  return answerPage(<RevokePage frame={frame} apiKey={apiKey} />);
}

async function revoke(call: PortalCall): Promise<PortalAnswer> {
  if (!(await revokeKey(ownScopeOf(call), call.params.keyId ?? ''))) throw new PortalNotFound();
  forgetAccess(call);
  return answerRedirect(hrefOf(call.frame, KEYS_PATH));
}

function answerRepeated({ frame }: PortalCall, id: string): PortalAnswer {
  return answerPage(
    <RepeatedPage frame={frame} title="API key created before" above={ABOVE} what="API key">
      <Link to={`${KEYS_PATH}/${id}`}>See the key that it made</Link>; if nobody has copied it, revoke that one and
      create another.
    </RepeatedPage>,
    409,
  );
}

function placeOf(call: PortalCall) {
  return { token: call.session.token, organisationId: ownScopeOf(call).organisationId, prefix: 'key' as const };
}

function nonceFor(call: PortalCall): string {
  return mintNonce(placeOf(call), call.store.clock.now());
}
