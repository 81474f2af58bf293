import { hashApiKey } from '../../contract/api-key.js';
import { parseDurationMs } from '../../contract/duration.js';
import { createId } from '../../contract/identifiers.js';
import { OcrError } from '../../contract/ocr-error.js';
import { formatTime, formatTimeOrNull, parseRfc3339 } from '../../contract/time.js';
import { createApiKey } from '../../store/access.js';
import { type ApiKey, findApiKey, findApiKeyByHash, listApiKeys, revokeApiKey } from '../../store/api-keys.js';
import type { Store } from '../../store/store.js';
import { checkName } from './check-name.js';
import { requireOrganisation } from './organisations.js';
import { parseFunctions } from './parse-functions.js';

/** As `ocr admin keys` prints it; the key itself is not kept. Times are RFC 3339 UTC. */
export interface KeyView {
  keyId: string;
  orgId: string;
  name: string;
  /** `ocr_live_` or `ocr_test_`. */
  prefix: string;
  lastFour: string;
  /** Null: every function of the plan. */
  functions: readonly string[] | null;
  status: 'active' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** To the minute. */
  lastUsedAt: string | null;
}

export interface NewKey {
  orgId: string;
  name?: string | undefined;
  isTest: boolean;
  /** RFC 3339, or a duration such as `30d`. */
  expires?: string | undefined;
  /** Ids with commas between them, or `all`. */
  functions?: string | undefined;
}

/** Mints a key: the raw key is here this once. @throws OcrError NOT_FOUND, USAGE */
export async function createKey(store: Store, options: NewKey): Promise<{ keyId: string; key: string }> {
  const name = checkName(options.name ?? '', "A key's", { mayBeEmpty: true });
  const expiresAtMs = options.expires === undefined ? undefined : parseExpiry(options.expires, Date.now());
  const functions = options.functions === undefined ? undefined : parseFunctions(options.functions);
  const { id } = await requireOrganisation(store, options.orgId);
  const keyId = createId('key');
  const key = await createApiKey(store, id, name, {
    id: keyId,
    environment: options.isTest ? 'test' : 'live',
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(functions === undefined ? {} : { functions }),
  });
  return { keyId, key };
}

/** Every key, or an organisation's; oldest first. @throws OcrError NOT_FOUND */
export async function listKeys(store: Store, orgId?: string): Promise<KeyView[]> {
  if (orgId !== undefined) await requireOrganisation(store, orgId);
  return (await listApiKeys(store, orgId)).map(view);
}

/** By its id, or by all of it. One that was revoked before stays as it is. @throws OcrError NOT_FOUND */
export async function revokeKey(store: Store, idOrKey: string): Promise<KeyView> {
  const { id } = await requireKey(store, idOrKey);
  await revokeApiKey(store, id, Date.now());
  return view(await requireKey(store, id));
}

/** A key, revoked or not, by its id or by all of it: who finds one that leaked holds it whole. @throws OcrError NOT_FOUND */
export async function requireKey(store: Store, idOrKey: string): Promise<ApiKey> {
  const found = (await findApiKey(store, idOrKey)) ?? (await findApiKeyByHash(store, hashApiKey(idOrKey)));
  if (found === undefined) throw noSuchKey(idOrKey);
  return found;
}

/** What is no id may be a key, which is not repeated. */
function noSuchKey(given: string): OcrError {
  const isId = given.startsWith('key_');
  return new OcrError(
    'NOT_FOUND',
    `There is no key ${isId ? given : `that ends in ${given.slice(-4)}, or with that id`}`,
    {
      status: 404,
      hint: 'Their ids begin with key_: ocr admin keys list',
    },
  );
}

const LATEST_MS = Date.UTC(9999, 11, 31);

/** A time to come, in Unix milliseconds. @throws OcrError USAGE */
function parseExpiry(text: string, nowMs: number): number {
  // A bare number would be anybody's guess.
  const durationMs = /[a-z]$/.test(text.trim()) ? parseDurationMs(text) : undefined;
  const ms = durationMs === undefined ? parseRfc3339(text.trim()) : nowMs + durationMs;
  if (ms === undefined || ms > LATEST_MS)
    throw new OcrError('USAGE', `--expires is not a time: ${text}`, {
      hint: 'Times look like 2027-01-31T00:00:00Z, or 30d for 30 days from now.',
    });
  if (ms > nowMs) return ms;
  throw new OcrError('USAGE', `--expires is in the past: ${text}`, {
    hint: 'Revoke one you no longer need: ocr admin keys revoke <keyId>',
  });
}

function view(key: ApiKey): KeyView {
  const { id, organisationId, name, prefix, lastFour, functions } = key;
  return {
    keyId: id,
    orgId: organisationId,
    name,
    prefix,
    lastFour,
    functions: functions ?? null,
    status: stateOf(key, Date.now()),
    createdAt: formatTime(key.createdAtMs),
    expiresAt: formatTimeOrNull(key.expiresAtMs),
    revokedAt: formatTimeOrNull(key.revokedAtMs),
    lastUsedAt: formatTimeOrNull(key.lastUsedAtMs),
  };
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): KeyView['status'] {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active';
}
