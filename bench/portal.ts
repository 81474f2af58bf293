import { join } from 'node:path';
import { hashToken, mintToken } from '../src/service/secrets/tokens.js';
import { createApiKey, createOrganisation } from '../src/store/access.js';
import { insertLink, redeemLink } from '../src/store/portal-links.js';
import { openStore as openShared } from '../src/store/postgres/open-store.js';
import { openPool, withClient } from '../src/store/postgres/pool.js';
import { makeRequestDays } from '../src/store/postgres/request-days.js';
import { openStore } from '../src/store/sqlite/open-store.js';
import type { Store } from '../src/store/store.js';
import { startPostgres } from '../test/support/postgres.js';
import { createTables } from '../test/support/stores.js';
import { fillPortal, type PortalRows } from './portal-rows.js';
import { summarise } from './service-calls.js';
import { type BenchService, withService } from './with-service.js';

const CALLS = Number(process.env.OCR_BENCH_CALLS ?? 1_000_000);
const ROUNDS = 40;
const DAY_MS = 24 * 60 * 60 * 1000;
const LOG_TTL_MS = 90 * DAY_MS;
/** A million rows beside other work take more than a statement of the service may. */
const VACUUM_TIMEOUTS_MS = { connect: 30_000, statement: 600_000 };

/** Pages of the portal, by what they ask of the store. */
const PAGES = (rows: PortalRows): Record<string, string> => ({
  'newest calls': '/request-logs',
  'calls of a rare key': '/request-logs?key=key_RARE',
  'status 500 (ten rows)': '/request-logs?status=500',
  'code INVALID_DOCUMENT': '/request-logs?code=INVALID_DOCUMENT',
  'one call': `/request-logs/${rows.requestId}`,
  'newest jobs': '/job-queues',
  'failed jobs': '/job-queues?state=failed',
  'one job': `/job-queues/${rows.jobId}`,
  'newest deliveries': '/webhooks',
  'deliveries by a rare answer': '/webhooks?answer=4xx',
  'API keys': '/api-keys',
  overview: '/overview',
  organisations: '/operator',
  'organisations without documents': '/operator?word=none',
});

/**
 * `npm run bench -- portal`: pages of the portal at a million calls (OCR_BENCH_CALLS) of one organisation, 250,000 jobs and
 * deliveries, each page as its browser gets it. The goal is a p95 of 50 ms.
 */
export async function printPortal(): Promise<void> {
  console.log(`\nportal, ${CALLS.toLocaleString('en')} calls (p50, p95; goal ≤ 50 ms)`);
  await withService(async (service) => {
    const store = await openStore(join(service.dataDir, 'ocr.db'));
    try {
      await printPages('SQLite', service, store);
    } finally {
      await store.close();
    }
  });
  const postgres = await startPostgres({ settings: { max_wal_size: '4GB' } }).catch((error: Error) => error.message);
  if (typeof postgres === 'string') return console.log(`PostgreSQL  not measured: ${postgres}`);
  try {
    const url = await postgres.createDatabase();
    await createTables(url);
    const store = await openShared({ url, maxConnections: 4, applicationName: 'bench' });
    try {
      await makeRequestDays(store, LOG_TTL_MS, Date.now() - LOG_TTL_MS, Date.now() + DAY_MS);
      await withService((service) => printPages('PostgreSQL', service, store, () => analyse(url)), {
        env: { OCR_SERVE_DATABASE_URL: url },
      });
    } finally {
      await store.close();
    }
  } finally {
    await postgres.close();
  }
}

/** Gives the planner its statistics, which a server gathers by itself in time. */
async function analyse(url: string): Promise<void> {
  const pool = await openPool({ url, maxConnections: 1, applicationName: 'bench', timeoutsMs: VACUUM_TIMEOUTS_MS });
  await withClient(pool, (client) => client.query('VACUUM ANALYZE'));
  await pool.end();
}

async function printPages(
  engine: string,
  { url }: BenchService,
  store: Store,
  settle: () => Promise<void> = async () => {},
): Promise<void> {
  const organisationId = await createOrganisation(store, 'Bench', { plan: 'ENTERPRISE' });
  await createApiKey(store, organisationId, 'bench', { id: 'key_BENCH' });
  await createApiKey(store, organisationId, 'rare', { id: 'key_RARE' });
  const rows = await fillPortal(store, organisationId, CALLS);
  await settle();
  const cookies = [await openSession(store, organisationId), await openSession(store, null)];
  for (const [name, path] of Object.entries(PAGES(rows))) {
    const cookie = cookies[path.startsWith('/operator') ? 1 : 0] ?? '';
    const times: number[] = [];
    for (let round = -3; round < ROUNDS; round++) {
      const beganAt = performance.now();
      const answer = await fetch(`${url}/portal${path}`, { headers: { cookie } });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text}`);
      if (round >= 0) times.push(performance.now() - beganAt);
    }
    const { p50, p95 } = summarise(times);
    console.log(
      `${engine.padEnd(11)} ${name.padEnd(30)} ${p50.toFixed(0).padStart(5)} ms ${p95.toFixed(0).padStart(5)} ms`,
    );
  }
}

async function openSession(store: Store, organisationId: string | null): Promise<string> {
  const [link, token] = [mintToken(), mintToken()];
  const role = organisationId === null ? 'operator' : 'owner';
  const identity = { organisationId, role, name: 'bench' } as const;
  await insertLink(store, { hash: hashToken(link), ...identity, expiresAtMs: Date.now() + 60_000 });
  await redeemLink(store, hashToken(link), { hash: hashToken(token) });
  return `ocr_session=${token}`;
}
