import { insertApiKey, type NewApiKey } from '../../../store/access.js';
import { type ApiKey, type RolledKey, readKeyOf, readKeyPage, revokeKeyOf, rollKey } from '../../../store/api-keys.js';
import { audit } from '../../../store/audit.js';
import { lockOrganisation } from '../../../store/organisations.js';
import type { Page } from '../../../store/page.js';
import type { OwnScope } from './scope.js';

/** Reads a page of keys, newest first. */
export async function readKeys(
  { store, organisationId }: OwnScope,
  filter: Parameters<typeof readKeyPage>[1],
): Promise<Page<ApiKey>> {
  return await store.read(readKeyPage(organisationId, filter, store.clock.now()));
}

/** Finds a key; undefined for another's. */
export async function findKey({ store, organisationId }: OwnScope, id: string): Promise<ApiKey | undefined> {
  return await store.read(readKeyOf(organisationId, id));
}

/** Returns the raw key, which nothing can return again; undefined when this id has made one before. */
export async function createKey(
  { store, organisationId }: OwnScope,
  { name, id, ...options }: NewApiKey & { id: string; name: string },
): Promise<string | undefined> {
  return await store.write(function* () {
    yield* lockOrganisation(organisationId);
    if ((yield* readKeyOf(organisationId, id)) !== undefined) return undefined;
    const key = yield* insertApiKey(organisationId, name, { id, ...options });
    yield* audit(store, { action: 'key.create', organisationId, subjectId: id, detail: { name } });
    return key;
  });
}

/** Makes a key in place of another. */
export async function replaceKey(
  { store, organisationId }: OwnScope,
  id: string,
  newId: string,
  madeBy: string,
): Promise<RolledKey | 'repeated' | 'not-active'> {
  return await store.write(function* () {
    yield* lockOrganisation(organisationId);
    if ((yield* readKeyOf(organisationId, newId)) !== undefined) return 'repeated';
    const rolled = yield* rollKey(organisationId, id, madeBy, store.clock.now(), newId);
    if (rolled === undefined) return 'not-active';
    yield* audit(store, { action: 'key.roll', organisationId, subjectId: id, detail: { keyId: newId } });
    return rolled;
  });
}

/** Revokes a key. An earlier revocation keeps its time; false for another's key. */
export async function revokeKey({ store, organisationId }: OwnScope, id: string): Promise<boolean> {
  return await store.write(function* () {
    yield* lockOrganisation(organisationId);
    const key = yield* readKeyOf(organisationId, id);
    if (key === undefined || key.revokedAtMs !== null) return key !== undefined;
    yield* revokeKeyOf(organisationId, id, store.clock.now());
    yield* audit(store, { action: 'key.revoke', organisationId, subjectId: id });
    return true;
  });
}
