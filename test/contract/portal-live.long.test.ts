import { afterAll, afterEach, expect, test } from 'vitest';
import { hashToken } from '../../dist/service/secrets/tokens.js';
import { createOrganisation } from '../../dist/store/access.js';
import { endSession } from '../../dist/store/portal-sessions.js';
import { one, run } from '../../dist/store/unit.js';
import { runCli } from '../support/run-cli.js';
import { createHome } from '../support/temporary-home.js';
import { type LiveStream, openCaller, openLiveStream, readSeen } from './support/live-stream.js';
import { describePortal, type TestPortal } from './support/portal.js';
import { writeJob } from './support/portal-paths.js';

/** The heartbeat follows this limit. */
const CONFIG = { requestTimeoutMs: 3_000 };

/** Opens streams, and closes all of them. */
function createStreams(portal: () => TestPortal) {
  const opened: LiveStream[] = [];
  return {
    open: async (cookie: string, query = '') => {
      const stream = await openLiveStream(portal().url, cookie, query);
      opened.push(stream);
      return stream;
    },
    closeAll: () => {
      for (const stream of opened.splice(0)) stream.close();
    },
  };
}

async function enterNewOrganisation({ store, enter }: TestPortal) {
  const orgId = await createOrganisation(store, 'Cedar Records');
  return { orgId, visitor: await enter({ orgId, role: 'owner', name: 'Ada' }) };
}

// Tests wait for times most of the while, so they run side by side.
describePortal(
  'live rows',
  (portal) => {
    const { open, closeAll } = createStreams(portal);
    afterAll(closeAll);
    const enterNew = () => enterNewOrganisation(portal());

    test.concurrent('a change by the service itself → one event, which says what has changed and nothing more', async ({
      expect,
    }) => {
      const { url, store } = portal();
      const { orgId, visitor } = await enterNew();
      const callOnce = await openCaller(url, store, orgId);
      const stream = await open(visitor.cookie, await readSeen(visitor));
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      await callOnce();
      await expect.poll(() => stream.events).toEqual(['calls']);
      const later = await open(visitor.cookie, `?seen=${stream.lastEventId}`);
      await writeJob(store, orgId, 'processing');
      await callOnce();
      await expect.poll(() => later.events).toEqual(['calls jobs']);
    });

    test.concurrent('a change between the page and its stream → told at once', async ({ expect }) => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      const seen = await readSeen(visitor);
      await writeJob(store, orgId, 'completed');
      const stream = await open(visitor.cookie, seen);
      await expect.poll(() => stream.events).toEqual(['calls jobs']);
    });

    test.concurrent('another process ends a job → told, to its organisation alone', async ({ expect }) => {
      const { dataDir, databaseUrl, store } = portal();
      const [own, other] = [await enterNew(), await enterNew()];
      const jobId = await writeJob(store, own.orgId, 'processing');
      const stream = await open(own.visitor.cookie, await readSeen(own.visitor));
      const foreign = await open(other.visitor.cookie, await readSeen(other.visitor));
      const home = createHome();
      const env = { OCR_SERVE_DATA_DIR: dataDir, ...(databaseUrl && { OCR_SERVE_DATABASE_URL: databaseUrl }) };
      const { exitCode, stderr } = await runCli(['admin', 'jobs', 'cancel', jobId], { home, env });
      expect(exitCode, stderr).toBe(0);
      await expect.poll(() => stream.events.join(' ')).toContain('jobs');
      await other.visitor.post('/api-keys/new', { name: '' });
      await expect.poll(() => foreign.comments).toBeGreaterThan(1);
      expect(foreign.events).toEqual([]);
      home.remove();
    });

    test.concurrent('changes without end → events a second apart', async ({ expect }) => {
      const { url, store } = portal();
      const { orgId, visitor } = await enterNew();
      const callOnce = await openCaller(url, store, orgId);
      const stream = await open(visitor.cookie, await readSeen(visitor));
      while (stream.events.length < 4) await callOnce();
      const [first = 0, , , last = 0] = stream.times;
      // They are sent in three seconds at least; a busy machine may bring the first one late.
      expect(last - first).toBeGreaterThan(2_000);
    });

    test.concurrent('more than four streams of a session → no content; another takes the place of one that ends', async ({
      expect,
    }) => {
      const { visitor } = await enterNew();
      const streams = [];
      for (let i = 0; i < 4; i++) streams.push(await open(visitor.cookie));
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await open(visitor.cookie)).status).toBe(204);
      streams[0]?.close();
      await expect.poll(async () => (await open(visitor.cookie)).status).toBe(200);
    });

    test.concurrent('a session that was ended → its stream ends too', async ({ expect }) => {
      const { visitor } = await enterNew();
      const { visitor: other } = await enterNew();
      const stream = await open(visitor.cookie);
      const going = await open(other.cookie);
      await endSession(portal().store, hashToken(visitor.cookie.split('=')[1] ?? ''));
      await stream.ended;
      await expect.poll(() => going.comments).toBeGreaterThan(1);
    });

    test.concurrent('a session whose role has changed → its stream ends too', async () => {
      const { orgId, visitor } = await enterNew();
      const stream = await open(visitor.cookie);
      const sql = `UPDATE member SET role = 'member' WHERE organisation_id = :orgId`;
      await portal().store.write(() => run(sql, { orgId }));
      await stream.ended;
    });

    test.concurrent('a stream, and a page that renews itself → no use of the session', async ({ expect }) => {
      const { store } = portal();
      const { visitor } = await enterNew();
      const hash = hashToken(visitor.cookie.split('=')[1] ?? '');
      const sql = 'SELECT seen_at AS "seenAtMs" FROM portal_session WHERE hash = :hash';
      const longAgo = Date.now() - 600_000;
      await store.write(() =>
        run('UPDATE portal_session SET seen_at = :longAgo WHERE hash = :hash', { hash, longAgo }),
      );
      const stream = await open(visitor.cookie);
      await visitor.get('/request-logs', { 'x-portal-fragment': '1' });
      await expect.poll(() => stream.comments).toBeGreaterThan(1);
      expect(await store.read(one(sql, { hash }))).toEqual({ seenAtMs: longAgo });
      await visitor.get('/request-logs');
      expect(await store.read(one(sql, { hash }))).not.toEqual({ seenAtMs: longAgo });
    });

    test.concurrent('no session, no organisation, HEAD → no content', async ({ expect }) => {
      const { url, enter } = portal();
      expect((await open('ocr_session=none')).status).toBe(204);
      const support = await enter({ role: 'support' });
      expect((await open(support.cookie)).status).toBe(204);
      const { orgId, visitor } = await enterNew();
      expect((await open(support.cookie, `?organisation=${orgId}`)).status).toBe(200);
      const response = await fetch(`${url}/portal/live`, { method: 'HEAD', headers: { cookie: visitor.cookie } });
      expect(response.status).toBe(204);
    });

    test.concurrent('a page that renews itself → its content alone', async ({ expect }) => {
      const { visitor } = await enterNew();
      const { text } = await visitor.get('/request-logs', { 'x-portal-fragment': '1' });
      expect(text).toMatch(/^<!doctype html><main /);
      expect(text).toMatch(/<\/main>$/);
    });
  },
  CONFIG,
);

// Counts the streams of all.
describePortal('many live rows', (portal) => {
  const { open, closeAll } = createStreams(portal);
  afterEach(closeAll);

  test('more than 200 streams of a process → no content', async () => {
    const { enter } = portal();
    const { orgId } = await enterNewOrganisation(portal());
    const statuses: number[] = [];
    for (let session = 0; session < 51; session++) {
      const { cookie } = await enter({ orgId, role: 'member' });
      const streams = await Promise.all(Array.from({ length: session < 50 ? 4 : 1 }, () => open(cookie)));
      statuses.push(...streams.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(200);
    expect(statuses.at(-1)).toBe(204);
  });
});
