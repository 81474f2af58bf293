import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashApiKey } from '../../dist/contract/api-key.js';
import { createId } from '../../dist/contract/identifiers.js';
import {
  createApiKey,
  createOrganisation,
  findAccess,
  findLocalOrganisation,
  findSupportAccess,
  recordKeyUse,
} from '../../dist/store/access.js';
import {
  findApiKey,
  findApiKeyByHash,
  listApiKeys,
  readKeyOf,
  readKeyPage,
  revokeApiKey,
  revokeKeyOf,
  rollKey,
} from '../../dist/store/api-keys.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { deleteOrganisation, listActiveKeys, listStoredDocuments } from '../../dist/store/delete-organisation.js';
import { LANES } from '../../dist/store/lanes.js';
import { findNames } from '../../dist/store/names.js';
import { findOrganisation, listOrganisations, updateOrganisation } from '../../dist/store/organisations.js';
import { deletePlan, findPlanOf, insertPlan, listPlans, type Plan, updatePlan } from '../../dist/store/plans.js';
import type { Acceptance } from '../../dist/store/queue.js';
import type { Store } from '../../dist/store/store.js';
import { all } from '../../dist/store/unit.js';
import { findUsage } from '../../dist/store/usage.js';
import { insertEndpoint } from '../../dist/store/webhooks.js';

const DAY_MS = 86_400_000;

/** More than four bytes hold. */
const BILLIONS = 5_000_000_000;

/** Organisations, plans and keys on every store. */
export function describeAccess(engine: string, open: () => Promise<Store>): void {
  describe(`access on ${engine}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const makePlan = (name: string, more: Partial<Plan> = {}): Plan => ({
      ...{ name, functions: ['TEXT_EXTRACTION'], pageCap: 7, documentsPerPeriod: 70, requestsPerWindow: 5 },
      hasWebhooks: true,
      weight: 1,
      ...more,
    });

    test('an organisation → what it was created with, its plan’s limits, and its own before these', async () => {
      const trial = { startedAtMs: 1_000, endsAtMs: BILLIONS };
      const id = await createOrganisation(store, 'Archive', { plan: 'TRIAL', subscription: 'trialing', trial });
      const created = await findOrganisation(store, id);
      expect(created).toMatchObject({ id, name: 'Archive', plan: 'TRIAL', subscription: 'trialing', isLocal: false });
      expect(created).toMatchObject({ trialStartedAtMs: 1_000, trialEndsAtMs: BILLIONS });
      expect(created?.limits).toEqual(await findPlanOf(store, id));
      expect(created?.limits).toMatchObject({ name: 'TRIAL', pageCap: 20, documentsPerPeriod: 50, hasWebhooks: false });
      const own = { functions: '["TABLES"]', pageCap: BILLIONS, documentsPerPeriod: -1, webhooks: 1 };
      const changed = await updateOrganisation(store, id, { name: 'Files', ownLimits: own });
      expect(changed).toEqual(await findOrganisation(store, id));
      expect(changed?.limits).toEqual({
        ...{ name: 'TRIAL', functions: ['TABLES'], pageCap: BILLIONS, documentsPerPeriod: undefined },
        ...{ requestsPerWindow: 20, hasWebhooks: true, weight: 1, own: ['functions', 'pageCap', 'documentsPerPeriod'] },
      });
      const restored = await updateOrganisation(store, id, { ownLimits: { functions: 'all', pageCap: null } });
      expect(restored).toMatchObject({ name: 'Files', limits: { functions: undefined, pageCap: 20 } });
      await expect(updateOrganisation(store, id, { plan: 'NONE' })).rejects.toThrow('no plan NONE');
      expect(await findOrganisation(store, id)).toEqual(restored);
      expect(await updateOrganisation(store, 'org_x', { name: 'x' })).toBeUndefined();
    });

    test('a trial that still runs → not replaced by a new one', async () => {
      const id = await createOrganisation(store, 'Archive');
      const trial = (startedAtMs: number) => ({ startedAtMs, endsAtMs: startedAtMs + 1_000 });
      const update = async (startedAtMs: number) =>
        (await updateOrganisation(store, id, { subscription: 'trialing', newTrial: trial(startedAtMs) }))
          ?.trialEndsAtMs;
      expect([await update(1_000), await update(1_500), await update(2_000)]).toEqual([2_000, 2_000, 3_000]);
    });

    test('organisations → oldest first; this machine’s own is known', async () => {
      expect(await findLocalOrganisation(store)).toBeUndefined();
      const local = await createOrganisation(store, 'Local', { isLocal: true });
      const other = await createOrganisation(store, 'Other');
      expect((await listOrganisations(store)).map(({ id }) => id).sort()).toEqual([local, other].sort());
      expect(await findLocalOrganisation(store)).toBe(local);
      await expect(createOrganisation(store, 'x', { plan: 'NONE' })).rejects.toThrow('no plan NONE');
      expect(await listOrganisations(store)).toHaveLength(2);
    });

    test('a plan → added beside another, changed in parts, and removed once no organisation has it', async () => {
      const names = async () => (await listPlans(store)).map(({ name }) => name);
      expect(await names()).toEqual(['TRIAL', 'STARTER', 'BUSINESS', 'ENTERPRISE']);
      const plan = makePlan('SMALL', { requestsPerWindow: BILLIONS, documentsPerPeriod: BILLIONS });
      expect(await insertPlan(store, plan, 'STARTER')).toBe(true);
      expect(await insertPlan(store, makePlan('SMALL'), 'TRIAL')).toBe(false);
      expect(await names()).toEqual(['TRIAL', 'SMALL', 'STARTER', 'BUSINESS', 'ENTERPRISE']);
      const id = await createOrganisation(store, 'Archive', { plan: 'SMALL' });
      expect(await findPlanOf(store, id)).toEqual(plan);
      const change = { pageCap: BILLIONS, functions: undefined, hasWebhooks: false };
      expect(await updatePlan(store, 'SMALL', change)).toEqual({ ...plan, ...change });
      expect(await findPlanOf(store, id)).toEqual({ ...plan, ...change });
      expect(await updatePlan(store, 'NONE', change)).toBeUndefined();
      expect(await deletePlan(store, 'SMALL')).toEqual([id]);
      await updateOrganisation(store, id, { plan: 'TRIAL' });
      expect(await deletePlan(store, 'SMALL')).toEqual([]);
      expect(await names()).toEqual(['TRIAL', 'STARTER', 'BUSINESS', 'ENTERPRISE']);
    });

    test('a key → its organisation, limits and plan, until it is revoked', async () => {
      const organisationId = await createOrganisation(store, 'Archive', { plan: 'BUSINESS' });
      const [id, functions] = [createId('key'), ['TABLES']];
      const key = await createApiKey(store, organisationId, 'mine', { id, expiresAtMs: BILLIONS, functions });
      const access = await findAccess(store, hashApiKey(key));
      expect(access).toMatchObject({ organisationId, keyId: id, keyLastFour: key.slice(-4), keyFunctions: functions });
      expect(access).toMatchObject({ keyExpiresAtMs: BILLIONS, keyLastUsedAtMs: null, subscription: 'active' });
      expect(access?.plan).toEqual(await findPlanOf(store, organisationId));
      expect(await findSupportAccess(store, hashApiKey(key))).toBeUndefined();
      const stored = await findApiKey(store, id);
      expect(stored).toMatchObject({ id, organisationId, name: 'mine', prefix: 'ocr_live_', functions });
      expect(await findApiKeyByHash(store, hashApiKey(key))).toEqual(stored);
      for (const nowMs of [1_000, 1_500, 2_000]) await recordKeyUse(store, id, nowMs, 1_000);
      expect((await findApiKey(store, id))?.lastUsedAtMs).toBe(2_000);
      for (const nowMs of [3_000, 4_000]) await revokeApiKey(store, id, nowMs);
      expect((await findApiKey(store, id))?.revokedAtMs).toBe(3_000);
      expect(await findAccess(store, hashApiKey(key))).toBeUndefined();
    });

    test('a roll → a key like the old one, which ends in a day; not of another organisation, nor of an ended key', async () => {
      const organisationId = await createOrganisation(store, 'Archive');
      const other = await createOrganisation(store, 'Other');
      const [id, nowMs] = [createId('key'), store.clock.now()];
      const [expiresAtMs, functions] = [nowMs + 30 * DAY_MS, ['TABLES']];
      const made = { id, expiresAtMs, functions, environment: 'test', madeBy: 'Ann' } as const;
      const old = await createApiKey(store, organisationId, 'scan', made);
      const roll = (keyId: string, of = organisationId, atMs = nowMs) =>
        store.write(() => rollKey(of, keyId, 'Bob', atMs));
      expect(await roll(id, other)).toBeUndefined();
      const rolled = await roll(id);
      const fresh = await store.read(readKeyOf(organisationId, rolled?.keyId ?? ''));
      expect(fresh).toMatchObject({ name: 'scan', prefix: 'ocr_test_', functions, madeBy: 'Bob', revokedAtMs: null });
      expect(Math.abs((fresh?.expiresAtMs ?? 0) - expiresAtMs)).toBeLessThan(10_000);
      expect(await findAccess(store, hashApiKey(rolled?.key ?? ''))).toMatchObject({
        keyId: fresh?.id,
        organisationId,
      });
      expect(await findAccess(store, hashApiKey(old))).toMatchObject({ keyExpiresAtMs: nowMs + DAY_MS });
      expect(await findApiKey(store, id)).toMatchObject({ expiresAtMs: rolled?.oldEndsAtMs, madeBy: 'Ann' });
      // A second roll does not put off the end of the old key.
      expect(await roll(id, organisationId, nowMs + 1_000)).toMatchObject({ oldEndsAtMs: nowMs + DAY_MS });
      expect(await roll(id, organisationId, nowMs + DAY_MS)).toBeUndefined();
      expect(await store.write(() => revokeKeyOf(other, fresh?.id ?? '', nowMs))).toBe(false);
      expect(await store.write(() => revokeKeyOf(organisationId, fresh?.id ?? '', nowMs))).toBe(true);
      expect(await roll(fresh?.id ?? '')).toBeUndefined();
    });

    test('pages of keys → newest first, by state, of one organisation', async () => {
      const organisationId = await createOrganisation(store, 'Archive');
      const [active, expired, revoked] = [createId('key'), createId('key'), createId('key')];
      const nowMs = store.clock.now();
      await createApiKey(store, organisationId, 'a', { id: active, expiresAtMs: nowMs + DAY_MS });
      await createApiKey(store, organisationId, 'e', { id: expired, expiresAtMs: 1_000 });
      await createApiKey(store, organisationId, 'r', { id: revoked });
      await createApiKey(store, await createOrganisation(store, 'Other'), 'o');
      await store.write(() => revokeKeyOf(organisationId, revoked, nowMs));
      const page = async (filter: Parameters<typeof readKeyPage>[1] = {}) =>
        (await store.read(readKeyPage(organisationId, filter, nowMs))).rows.map(({ id }) => id);
      expect(await page()).toEqual([revoked, expired, active]);
      expect(await page({ limit: 1, before: revoked })).toEqual([expired]);
      expect(await page({ state: 'active' })).toEqual([active]);
      expect(await page({ state: 'expired' })).toEqual([expired]);
      expect(await page({ state: 'revoked' })).toEqual([revoked]);
      expect(await store.read(readKeyOf('org_other', active))).toBeUndefined();
    });

    test('a support key → no organisation', async () => {
      const organisationId = await createOrganisation(store, 'Archive');
      const key = await createApiKey(store, null, 'support', { environment: 'test' });
      await createApiKey(store, organisationId, 'other');
      expect(await findAccess(store, hashApiKey(key))).toBeUndefined();
      expect(await findSupportAccess(store, hashApiKey(key))).toMatchObject({ organisationId: undefined });
      expect((await listApiKeys(store)).map(({ name }) => name).sort()).toEqual(['other', 'support']);
      expect((await listApiKeys(store, organisationId)).map(({ name }) => name)).toEqual(['other']);
    });

    test('names → found by ids, null for unknown ones', async () => {
      const [organisationId, keyId] = [await createOrganisation(store, 'Archive'), createId('key')];
      await createApiKey(store, organisationId, 'mine', { id: keyId });
      const names = await findNames(store, [organisationId, null, 'org_x'], [keyId]);
      expect([organisationId, null, 'org_x'].map(names.organisation)).toEqual(['Archive', null, null]);
      expect([keyId, null, 'key_x'].map(names.key)).toEqual(['mine', null, null]);
    });

    test('an organisation that is deleted → all its rows are gone, those of another stay', async () => {
      const organisations = [await createOrganisation(store, 'Gone'), await createOrganisation(store, 'Stays')];
      const [gone = '', stays = ''] = organisations;
      const queue = createQueue(store);
      for (const organisationId of organisations) {
        const expired = { id: createId('key'), expiresAtMs: 1_000 };
        await createApiKey(store, organisationId, 'expired', expired);
        await insertEndpoint(store, {
          ...{ id: createId('whe'), organisationId, url: 'https://x.example/', events: 'document.processed' },
          ...{ secret: 's', previousSecretUntilMs: null, createdAtMs: 1 },
        });
        for (const key of ['a', 'b']) await queue.accept(makeAcceptance(organisationId, key));
      }
      for (const [job] of [await queue.claim(10_000), await queue.claim(10_000)])
        if (job !== undefined) await queue.complete(job, { body: '{}', provider: 't', pageCount: 1, durationMs: 5 });
      const active = createId('key');
      await createApiKey(store, gone, 'active', { id: active });
      expect(await listActiveKeys(store, gone, 2_000)).toEqual([active]);
      expect(await listStoredDocuments(store, gone, store.clock.now() + 1)).toHaveLength(1);
      const count = async (table: string, organisationId: string) =>
        (await store.read(all(`SELECT * FROM ${table} WHERE organisation_id = :organisationId`, { organisationId })))
          .length;
      const tables = [
        'api_key',
        'document',
        'event',
        'idempotency',
        'job',
        'result_cache',
        'usage',
        'webhook_delivery',
      ];
      const counts = (organisationId: string) => Promise.all(tables.map((table) => count(table, organisationId)));
      const before = await counts(stays);
      expect(before).toEqual([1, 2, 1, 2, 2, 1, 1, 1]);
      await deleteOrganisation(store, gone);
      await deleteOrganisation(store, gone);
      expect(await counts(gone)).toEqual(tables.map(() => 0));
      expect(await counts(stays)).toEqual(before);
      expect((await listOrganisations(store)).map(({ id }) => id)).toEqual([stays]);
      expect(await store.read(all('SELECT job_id FROM result'))).toHaveLength(1);
      expect(await findUsage(store, stays, '2026-01')).toBe(2);
    });

    const makeAcceptance = (organisationId: string, key: string): Acceptance => ({
      ...{ requestId: createId('req'), jobId: createId('job'), organisationId, keyId: 'key_1', keyLastFour: 'abcd' },
      ...{
        function: 'TEXT_EXTRACTION',
        args: '{}',
        cacheKey: key,
        engine: 'engine',
        fileName: undefined,
        isUrgent: false,
      },
      document: { id: createId('doc'), sha256: 'ab', sizeBytes: BILLIONS, mimeType: 'application/pdf', pageCount: 3 },
      effort: { lane: LANES.long, delayMs: 0 },
      idempotency: { key, contentHash: 'a' },
      allowance: { period: '2026-01', limit: undefined },
      nowMs: Date.now(),
    });
  });
}
