import { hashApiKey } from '../../contract/api-key.js';
import { createId } from '../../contract/identifiers.js';
import { parseMoment } from '../../contract/moment.js';
import { OcrError } from '../../contract/ocr-error.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import { createApiKey } from '../../store/access.js';
import { type ApiKey, findApiKey, findApiKeyByHash, listApiKeys, revokeApiKey } from '../../store/api-keys.js';
import { findNames, type Names } from '../../store/names.js';
import type { Store } from '../../store/store.js';
import { checkName } from './check-name.js';
import { requireOrganisation } from './organisations.js';
import { parseFunctions } from './parse-functions.js';

/** A key as `ocr admin keys` prints it, without the raw key. Times are RFC 3339 UTC. */
export interface KeyView {
  keyId: string;
  /** Null for a support key, as its name is. */
  orgId: string | null;
  orgName: string | null;
  name: string;
  /** True for a key that reads requests and jobs of all organisations, and does nothing else. */
  support: boolean;
  /** `ocr_live_` or `ocr_test_`. */
  prefix: string;
  lastFour: string;
  /** Null for every function of the plan. */
  functions: readonly string[] | null;
  status: 'active' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Last use, exact to the minute. */
  lastUsedAt: string | null;
}

export interface NewKey {
  /** Undefined for a support key. */
  orgId?: string | undefined;
  isSupport: boolean;
  name?: string | undefined;
  isTest: boolean;
  /** A moment as parseMoment takes it: `30d`, a date, an RFC 3339 time. */
  expires?: string | undefined;
  /** Function ids separated by commas, or `all`. */
  functions?: string | undefined;
}

/** Mints a key. Only this result has the raw key. @throws OcrError NOT_FOUND, USAGE */
export async function createKey(store: Store, options: NewKey): Promise<{ keyId: string; key: string }> {
  const name = checkName(options.name ?? '', "A key's", { mayBeEmpty: true });
  const expiresAtMs = options.expires === undefined ? undefined : parseExpiry(options.expires, store.clock.now());
  const functions = options.functions === undefined ? undefined : parseFunctions(options.functions);
  const owner = await findOwner(store, options);
  const keyId = createId('key', store.clock.now());
  const key = await createApiKey(store, owner, name, {
    id: keyId,
    environment: options.isTest ? 'test' : 'live',
    madeBy: 'ocr admin',
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(functions === undefined ? {} : { functions }),
  });
  return { keyId, key };
}

/** Returns the id of the organisation that the key is for; null for a support key. @throws OcrError NOT_FOUND, USAGE */
async function findOwner(store: Store, { orgId, isSupport, functions }: NewKey): Promise<string | null> {
  if (isSupport) {
    if (orgId === undefined && functions === undefined) return null;
    const flag = orgId === undefined ? '--functions' : '--org';
    throw new OcrError('USAGE', `${flag} and --support cannot be given together`, {
      hint: 'A support key belongs to no organisation and calls no function.',
    });
  }
  if (orgId !== undefined) return (await requireOrganisation(store, orgId)).id;
  throw new OcrError('USAGE', 'An organisation is missing: --org, or --support for a key that reads them all', {
    hint: 'ocr admin orgs list',
  });
}

/** Lists every key, or those of one organisation; oldest first. @throws OcrError NOT_FOUND */
export async function listKeys(store: Store, orgId?: string): Promise<KeyView[]> {
  const id = orgId === undefined ? undefined : (await requireOrganisation(store, orgId)).id;
  const keys = await listApiKeys(store, id);
  const names = await findNames(
    store,
    keys.map(({ organisationId }) => organisationId),
  );
  return keys.map((key) => view(key, names, store.clock.now()));
}

/** Revokes a key, by its id or the raw key. An earlier revocation keeps its time. @throws OcrError NOT_FOUND */
export async function revokeKey(store: Store, idOrKey: string): Promise<KeyView> {
  const { id } = await requireKey(store, idOrKey);
  await revokeApiKey(store, id, store.clock.now());
  const key = await requireKey(store, id);
  return view(key, await findNames(store, [key.organisationId]), store.clock.now());
}

/**
 * Finds a key, revoked or not, by its id or the raw key: the finder of a leaked key has only the raw key. @throws OcrError
 * NOT_FOUND
 */
export async function requireKey(store: Store, idOrKey: string): Promise<ApiKey> {
  const found = (await findApiKey(store, idOrKey)) ?? (await findApiKeyByHash(store, hashApiKey(idOrKey)));
  if (found === undefined) throw noSuchKey(idOrKey);
  return found;
}

/** A text that is no id may be a raw key, so the message does not repeat it. */
function noSuchKey(given: string): OcrError {
  const isId = given.startsWith('key_');
  return new OcrError(
    'NOT_FOUND',
    isId ? `There is no key ${given}` : `There is no key …${given.slice(-4)}, and none with that id`,
    {
      status: 404,
      hint: 'Give the whole key, or its id, which begins with key_: ocr admin keys list',
    },
  );
}

const LATEST_MS = Date.UTC(9999, 11, 31);

/** Parses a future time, in Unix milliseconds. @throws OcrError USAGE */
function parseExpiry(text: string, nowMs: number): number {
  const ms = parseMoment(text, nowMs, 'ahead');
  if (ms === undefined || ms > LATEST_MS)
    throw new OcrError('USAGE', `--expires is not a time: ${text}`, {
      hint: 'Examples: 30d, 2027-01-31, 2027-01-31T12:00:00Z.',
    });
  if (ms > nowMs) return ms;
  throw new OcrError('USAGE', `--expires is in the past: ${text}`, {
    hint: 'Revoke one you no longer need: ocr admin keys revoke <keyId>',
  });
}

function view(key: ApiKey, names: Names, nowMs: number): KeyView {
  const { id, organisationId, name, prefix, lastFour, functions } = key;
  return {
    keyId: id,
    orgId: organisationId,
    orgName: names.organisation(organisationId),
    name,
    support: organisationId === null,
    prefix,
    lastFour,
    functions: functions ?? null,
    status: stateOfKey(key, nowMs),
    createdAt: formatTime(key.createdAtMs),
    expiresAt: formatTimeOrNull(key.expiresAtMs),
    revokedAt: formatTimeOrNull(key.revokedAtMs),
    lastUsedAt: formatTimeOrNull(key.lastUsedAtMs),
  };
}

/** Returns the state of a key. */
export function stateOfKey({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): KeyView['status'] {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active';
}
