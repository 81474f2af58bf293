import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createId, idTime } from '../../dist/contract/identifiers.js';
import { importDirectory } from '../../dist/service/administration/import.js';
import { createOrganisation } from '../../dist/store/access.js';
import { openPool } from '../../dist/store/postgres/pool.js';
import { keepRequestDays, makeRequestDays } from '../../dist/store/postgres/request-days.js';
import { removeExpired } from '../../dist/store/remove-expired.js';
import { findNewestLine } from '../../dist/store/request-lines.js';
import { findRequest, listRequests, type RequestEntry, writeRequest } from '../../dist/store/requests.js';
import { openStore as openSqlite } from '../../dist/store/sqlite/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { all, ids, run, type SqlValues, type Statement, type Unit } from '../../dist/store/unit.js';
import { describePostgres } from '../support/stores.js';
import { makeRequestEntry } from './support/make-request-entry.js';

const DAY_MS = 86_400_000;
const TTL_MS = 20 * DAY_MS;
const AGES = { resultTtlMs: DAY_MS, cacheTtlMs: DAY_MS, idempotencyTtlMs: DAY_MS, requestLogTtlMs: TTL_MS };
const NOON = Date.UTC(2026, 5, 15, 12);
const dayOf = (ms: number) => `request_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;

describePostgres((empty, open, urlOf) => {
  describe('days of the request log', () => {
    let store: Store;
    let organisationId: string;
    beforeEach(async () => {
      await empty();
      store = await open();
      organisationId = await createOrganisation(store, 'Test');
    });
    afterEach(() => store.close());

    const write = async (ms: number, more: Partial<RequestEntry> = {}): Promise<string> => {
      const entry = makeRequestEntry(organisationId, ms, more);
      await store.write(() => writeRequest(entry));
      return entry.id;
    };
    /** Ids of the lines by the partition that they are in. */
    const readPlaces = async () => {
      const sql = 'SELECT id, CAST(CAST(tableoid AS regclass) AS TEXT) AS place FROM request ORDER BY id';
      const rows = await store.read(all<{ id: string; place: string }>(sql));
      return Object.fromEntries(rows.map(({ id, place }) => [id, place]));
    };
    const listDays = () =>
      store.read(
        ids(`SELECT CAST(CAST(inhrelid AS regclass) AS TEXT) AS id FROM pg_inherits
             WHERE inhparent = to_regclass('request') ORDER BY 1`),
      );

    test('a line whose partition is attached while it waits → written, into that partition', async () => {
      const pool = await openPool({ url: urlOf(), maxConnections: 2, applicationName: 'test' });
      onTestFinished(() => pool.end());
      const holder = await pool.connect();
      const [from, until] = [NOON, NOON + DAY_MS].map((ms) => `req_${idTime(ms)}`);
      await holder.query(`BEGIN; CREATE TABLE request_late (LIKE request INCLUDING DEFAULTS);
        ALTER TABLE request ATTACH PARTITION request_late FOR VALUES FROM ('${from}') TO ('${until}')`);
      const written = write(NOON);
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
      await holder.query('COMMIT');
      holder.release();
      const id = await written;
      expect(await readPlaces()).toEqual({ [id]: 'request_late' });
      await pool.query('DROP TABLE request_late');
    });

    test('a clean-up → the days to come have partitions, and other lines a place too', async () => {
      await removeExpired(store, AGES, NOON);
      await removeExpired(store, AGES, NOON + DAY_MS);
      const days = Array.from({ length: 9 }, (_, day) => dayOf(NOON + day * DAY_MS));
      expect(await listDays()).toEqual([...days, 'request_other']);
      const [today, tomorrow] = [await write(NOON), await write(NOON + DAY_MS)];
      const [early, late] = [await write(1_000), await write(NOON + 999 * DAY_MS)];
      expect(await readPlaces()).toEqual({
        [early]: 'request_other',
        [today]: dayOf(NOON),
        [tomorrow]: dayOf(NOON + DAY_MS),
        [late]: 'request_other',
      });
      for (const id of [today, late]) expect(await findRequest(store, id)).toMatchObject({ requestId: id });
    });

    test('a day whose lines are among the others already → left so, and the next ones made', async () => {
      const early = await write(NOON);
      await keepRequestDays(store, TTL_MS, NOON);
      const next = await write(NOON + DAY_MS);
      expect(await readPlaces()).toEqual({ [early]: 'request_other', [next]: dayOf(NOON + DAY_MS) });
      await removeExpired(store, AGES, NOON + TTL_MS + 2 * DAY_MS);
      expect(await readPlaces()).toEqual({});
    });

    test('a log that is kept for years → partitions of several days', async () => {
      await makeRequestDays(store, 1_000 * DAY_MS, NOON - 1_000 * DAY_MS, NOON);
      expect((await listDays()).length).toBeLessThan(105);
      const id = await write(NOON - 995 * DAY_MS);
      expect(await readPlaces()).toEqual({ [id]: dayOf(NOON - 1_000 * DAY_MS) });
    });

    test('a day whose lines have all expired → dropped whole, with what it holds', async () => {
      await makeRequestDays(store, TTL_MS, NOON - 30 * DAY_MS, NOON);
      await write(NOON - 25 * DAY_MS);
      const boundary = await write(NOON - TTL_MS - 3_600_000);
      const young = await write(NOON - 19 * DAY_MS);
      await removeExpired(store, AGES, NOON);
      expect(Object.keys(await readPlaces())).toEqual([boundary, young]);
      expect((await listDays())[0]).toBe(dayOf(NOON - TTL_MS));
      // Its day is over by then.
      await removeExpired(store, AGES, NOON + DAY_MS / 2);
      expect(Object.keys(await readPlaces())).toEqual([young]);
      expect((await listDays())[0]).toBe(dayOf(NOON - TTL_MS + DAY_MS));
    });

    test('a line that is younger than its id → stays, and expired ones of its day go', async () => {
      await makeRequestDays(store, TTL_MS, NOON - 30 * DAY_MS, NOON);
      await write(NOON - 25 * DAY_MS);
      const odd = await write(NOON, { id: createId('req', NOON - 25 * DAY_MS) });
      await removeExpired(store, AGES, NOON);
      expect(await readPlaces()).toEqual({ [odd]: dayOf(NOON - 25 * DAY_MS) });
    });

    test('a log that is kept for hours → its lines are deleted in time', async () => {
      await keepRequestDays(store, 3_600_000, NOON);
      await write(NOON - 3_700_000);
      const young = await write(NOON - 3_500_000);
      await removeExpired(store, { ...AGES, requestLogTtlMs: 3_600_000 }, NOON);
      expect(Object.keys(await readPlaces())).toEqual([young]);
    });

    test('a report that reads the log → calls go on, and the day is dropped later', async () => {
      // The days ahead are there: each that is missing waits for the report too.
      await makeRequestDays(store, TTL_MS, NOON - 21 * DAY_MS, NOON + 9 * DAY_MS);
      const id = await write(NOON);
      const { default: pg } = await import('pg');
      const report = new pg.Client({ connectionString: urlOf() });
      await report.connect();
      onTestFinished(() => report.end().catch(() => {}));
      await report.query('BEGIN; SELECT count(*) FROM request');
      const cleaning = removeExpired(store, AGES, NOON);
      const waiting = `SELECT pid AS id FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await expect.poll(async () => (await store.read(ids(waiting))).length).toBe(1);
      // It waits behind the removal, and would until the report has ended.
      expect(await findRequest(store, id)).toMatchObject({ requestId: id });
      await cleaning;
      expect((await listDays())[0]).toBe(dayOf(NOON - 21 * DAY_MS));
      await report.query('COMMIT');
      await removeExpired(store, AGES, NOON);
      expect((await listDays())[0]).toBe(dayOf(NOON - TTL_MS));
    });

    /** The plan of the first statement of a look-up, where no table is so small that it is read as a whole. */
    async function explain(look: (store: Store) => Promise<unknown>): Promise<string> {
      let statement: Statement | undefined;
      const read = async <T>(unit: Unit<T>) => {
        statement = unit.next().value as Statement;
        return [] as T;
      };
      await look({ ...store, read });
      const { sql = '', values } = statement ?? {};
      return await explainSql(sql, values);
    }

    async function explainSql(sql: string, values: SqlValues = {}): Promise<string> {
      const rows = await store.write(function* () {
        yield* run('SET LOCAL enable_seqscan = off');
        return yield* all<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
      });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }
    const partsOf = (plan: string) => [...new Set(plan.match(/request_(?:\d{8}|other)(?= )/g))];

    test('a look-up by id → one partition', async () => {
      await makeRequestDays(store, TTL_MS, NOON - 30 * DAY_MS, NOON);
      const id = await write(NOON - 3 * DAY_MS);
      const day = dayOf(NOON - 3 * DAY_MS);
      expect(partsOf(await explain((from) => findRequest(from, id)))).toEqual([day]);
      expect(partsOf(await explain((from) => listRequests(from, { requestId: id, limit: 1 })))).toEqual([day]);
      const update = 'UPDATE request SET status = 200 WHERE id = :id';
      expect(partsOf(await explainSql(update, { id }))).toEqual([day]);
    });

    test.each([
      ['job', (from: Store) => from.read(ids('SELECT id FROM request WHERE job_id = :job', { job: 'job_1' }))],
      ['hash', (from: Store) => listRequests(from, { sha256: 'ab12', limit: 5 })],
      ['organisation', (from: Store) => listRequests(from, { organisationId: 'org_1', limit: 5 })],
      ['newest line', (from: Store) => findNewestLine(from)],
    ])('a look-up by %s → by an index of each partition', async (_, look) => {
      await makeRequestDays(store, TTL_MS, NOON - 3 * DAY_MS, NOON);
      const plan = await explain(look);
      expect(partsOf(plan)).toHaveLength(5);
      expect(plan).not.toMatch(/Seq Scan on request/);
    });

    test('an import → old lines are in the partitions of their days, numbered in their order', async () => {
      await store.write(() => run('DELETE FROM organisation'));
      const dataDir = mkdtempSync(join(tmpdir(), 'ocr-import-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const source = await openSqlite(join(dataDir, 'ocr.db'));
      organisationId = await createOrganisation(source, 'Test');
      const nowMs = Date.now();
      const entries = [40, 3, 3, 0].map((days) => makeRequestEntry(organisationId, nowMs - days * DAY_MS));
      await source.write(function* () {
        for (const entry of entries) yield* writeRequest(entry);
      });
      await source.close();
      const location = { dataDir: undefined, configFile: undefined, databaseUrl: urlOf() };
      expect(await importDirectory(location, {}, dataDir)).toMatchObject({ organisations: 1, requests: 4 });
      expect(await readPlaces()).toEqual(
        Object.fromEntries(entries.map(({ id, createdAtMs }) => [id, dayOf(createdAtMs)])),
      );
      const inOrder = await store.read(ids('SELECT id FROM request ORDER BY rowid'));
      expect(inOrder).toEqual(entries.map(({ id }) => id));
    });
  });
});
