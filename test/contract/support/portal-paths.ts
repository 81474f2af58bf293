import { createId } from '../../../dist/contract/identifiers.js';
import { createApiKey } from '../../../dist/store/access.js';
import { listApiKeys } from '../../../dist/store/api-keys.js';
import { actingAs } from '../../../dist/store/audit.js';
import { readMemberCalled } from '../../../dist/store/members.js';
import { insertLink, redeemLink } from '../../../dist/store/portal-links.js';
import { writeRequest } from '../../../dist/store/requests.js';
import type { Store } from '../../../dist/store/store.js';
import { run } from '../../../dist/store/unit.js';
import { addToDay } from '../../../dist/store/usage-days.js';
import { insertEndpoint } from '../../../dist/store/webhooks.js';
import { makeRequestEntry } from './make-request-entry.js';
import { HOSTILE } from './portal-pages.js';

const LONG = HOSTILE + 'x'.repeat(10_000);

/** Writes things with hostile names, and returns the addresses of each page in each of its states. A new page has its lines here. */
export async function writePathsOf(store: Store, organisationId: string): Promise<string[]> {
  return [
    ...(await writeCalls(store, organisationId)),
    ...(await writeKeys(store, organisationId)),
    ...(await writeDays(store, organisationId)),
    '/functions',
    '/functions?word=nothing',
    '/functions/TEXT_EXTRACTION',
    '/functions/BARCODE_READING',
    ...['TEXT_EXTRACTION', 'LAYOUT_ANALYSIS', 'BARCODE_READING', 'FORM_FIELDS'].map((id) => `/functions/${id}/try`),
    ...(await writeWebhooks(store, organisationId)),
    ...(await writeJobs(store, organisationId)),
    ...(await writePeople(store, organisationId)),
  ];
}

/** Writes calls, and returns the addresses of their pages. */
export async function writeCalls(store: Store, organisationId: string): Promise<string[]> {
  const refused = { status: 400, errorCode: 'INVALID_DOCUMENT', errorMessage: HOSTILE, fileName: LONG };
  const calls = [makeRequestEntry(organisationId, Date.now()), makeRequestEntry(organisationId, Date.now(), refused)];
  for (const call of calls) await writeCall(store, call);
  return [
    '/request-logs',
    '/request-logs?status=4xx&function=TEXT_EXTRACTION',
    '/request-logs?status=oops',
    '/request-logs?status=599',
    '/request-logs?request=oops',
    ...calls.map(({ id }) => `/request-logs/${id}`),
  ];
}

/** A service on PostgreSQL that has just started makes the partition of the day meanwhile, which refuses a line once. */
async function writeCall(store: Store, call: ReturnType<typeof makeRequestEntry>): Promise<void> {
  const write = () => store.write(() => writeRequest(call));
  await write().catch(write);
}

async function writeKeys(store: Store, organisationId: string): Promise<string[]> {
  await createApiKey(store, organisationId, LONG, {
    madeBy: HOSTILE,
    functions: ['DOCUMENT_INSPECTION', 'FORM_FIELDS'],
  });
  await createApiKey(store, organisationId, HOSTILE, { expiresAtMs: 1 });
  const [{ id } = { id: '' }] = await listApiKeys(store, organisationId);
  return ['', '?state=revoked', '?state=other', '/new', `/${id}`, `/${id}/roll`, `/${id}/revoke`].map(
    (path) => `/api-keys${path}`,
  );
}

async function writeWebhooks(store: Store, organisationId: string): Promise<string[]> {
  const id = await writeEndpoint(
    store,
    organisationId,
    `https://example.com/${createId('whe')}"><script>alert(1)</script>${'x'.repeat(900)}`,
  );
  const deliveryId = await writeDelivery(store, organisationId, id, 'dead');
  return [
    '',
    '?state=dead&answer=5xx',
    '?state=odd',
    '?event=document.failed',
    '/new',
    '/resend-dead',
    '/check-signature',
    `/check-signature?delivery=${deliveryId}`,
    `/${id}`,
    `/${id}/rotate`,
    `/${id}/remove`,
    `/deliveries/${deliveryId}`,
  ].map((path) => `/webhooks${path}`);
}

/** Writes an endpoint of a URL that the organisation does not have yet, and returns its id. */
export async function writeEndpoint(store: Store, organisationId: string, url: string): Promise<string> {
  const id = createId('whe');
  const events = 'document.processed,document.failed';
  const row = { id, organisationId, url, events, secret: 'sealed', previousSecretUntilMs: null };
  const outcome = await insertEndpoint(store, { ...row, createdAtMs: Date.now() });
  if (outcome !== 'added') throw new Error(`${url}: ${outcome}`);
  return id;
}

/** Writes a delivery with one attempt and returns its id. */
export async function writeDelivery(
  store: Store,
  organisationId: string,
  endpointId: string,
  status: 'pending' | 'delivered' | 'dead',
): Promise<string> {
  const [id, nowMs] = [createId('dlv'), Date.now()];
  // A pending one is due in an hour: no sender takes it.
  const dueMs = status === 'pending' ? nowMs + 3_600_000 : null;
  await store.write(function* () {
    yield* run(
      `INSERT INTO webhook_delivery (id, endpoint_id, organisation_id, event, request_id, body, status, attempts, series_start,
         next_attempt_at, finished_at, created_at)
       VALUES (:id, :endpointId, :organisationId, 'document.processed', :requestId, '{"id":1}', :status, 1, 0, :dueMs,
         :finishedAtMs, :nowMs)`,
      {
        id,
        endpointId,
        organisationId,
        requestId: createId('req'),
        status,
        dueMs,
        finishedAtMs: status === 'pending' ? null : nowMs,
        nowMs,
      },
    );
    yield* run(
      `INSERT INTO webhook_attempt (delivery_id, number, started_at, latency_ms, status, error, answer)
       VALUES (:id, 1, :nowMs, 12, :answered, NULL, :answer)`,
      { id, nowMs, answered: status === 'delivered' ? 204 : 503, answer: HOSTILE },
    );
  });
  return id;
}

async function writeJobs(store: Store, organisationId: string): Promise<string[]> {
  const failed = await writeJob(store, organisationId, 'failed');
  const running = await writeJob(store, organisationId, 'processing');
  return ['', '?state=failed', '?state=odd', '?function=FORM_FIELDS', `/${failed}`, `/${running}`].map(
    (path) => `/job-queues${path}`,
  );
}

/** Writes a job of a file with a hostile name, and its result when it is completed. Returns its id. */
export async function writeJob(
  store: Store,
  organisationId: string,
  status: 'completed' | 'failed' | 'processing',
  fileName = LONG,
): Promise<string> {
  const [id, documentId, nowMs] = [createId('job'), createId('doc'), Date.now()];
  const isRunning = status === 'processing';
  const call = makeRequestEntry(organisationId, nowMs, { jobId: id, status: 202, fileName });
  await writeCall(store, call);
  await store.write(function* () {
    yield* run(
      `INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at)
       VALUES (:documentId, :organisationId, 'ab', 1, 'application/pdf', 3, :nowMs)`,
      { documentId, organisationId, nowMs },
    );
    yield* run(
      `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
         interruptions, token, lease_until, created_at, started_at, finished_at, pages_done, page_count, error_code, error_message)
       VALUES (:id, :organisationId, :requestId, :documentId, 'TEXT_EXTRACTION', '{}', :id, :status, 0, 1, 0, :token, :leaseUntilMs,
         :nowMs, :nowMs, :finishedAtMs, 2, 3, :errorCode, :errorMessage)`,
      {
        id,
        organisationId,
        requestId: call.id,
        documentId,
        status,
        token: isRunning ? 'a-token' : null,
        leaseUntilMs: isRunning ? nowMs + 3_600_000 : null,
        nowMs,
        finishedAtMs: isRunning ? null : nowMs,
        errorCode: status === 'failed' ? 'INVALID_DOCUMENT' : null,
        errorMessage: status === 'failed' ? HOSTILE : null,
      },
    );
    if (status === 'completed')
      yield* run(
        `INSERT INTO result (job_id, body, provider, page_count, duration_ms, created_at)
         VALUES (:id, '{"text":"planted text"}', 'test', 3, 1, :nowMs)`,
        { id, nowMs },
      );
  });
  return id;
}

/** Writes members, links and sessions, and returns the addresses of their pages. */
async function writePeople(store: Store, organisationId: string): Promise<string[]> {
  const acting = actingAs(store, { who: HOSTILE, role: 'owner' });
  const expiresAtMs = Date.now() + 3_600_000;
  const name = `${HOSTILE} ${createId('mem')}`;
  const [linkId, hash] = [createId('inv'), createId('ses')];
  await insertLink(acting, { id: linkId, hash: createId('inv'), organisationId, role: 'member', name, expiresAtMs });
  await insertLink(acting, { hash, organisationId, role: 'member', name, expiresAtMs });
  await redeemLink(acting, hash, { hash: `${hash}-session`, browser: 'Firefox on Linux' });
  const member = await store.read(readMemberCalled(organisationId, name));
  return [
    '/organisation',
    '/organisation/audit',
    '/organisation/audit?action=portal.link&who=Nobody',
    '/organisation/audit?from=oops',
    '/organisation/invite',
    `/organisation/links/${linkId}/revoke`,
    ...['role', 'link', 'remove'].map((what) => `/organisation/members/${member?.id}/${what}`),
  ];
}

/** Returns the addresses of what operators alone see. */
export function operatorPaths(organisationId: string): string[] {
  return [
    '/operator',
    '/operator?word=nothing&state=active',
    '/operator?state=oops',
    '/operator/organisations/new',
    `/operator/organisations/${organisationId}`,
    `/operator/organisations/${organisationId}/change`,
    '/operator/plans',
    '/operator/plans/new',
    '/operator/plans/STARTER',
    '/operator/plans/STARTER/remove',
    '/operator/processes',
    '/operator/audit',
    '/overview',
    `/overview?name=${createId('req')}`,
    `/organisation?organisation=${organisationId}`,
  ];
}

/** Writes documents of some days, and returns the addresses of Overview. */
async function writeDays(store: Store, organisationId: string): Promise<string[]> {
  await store.write(function* () {
    for (const age of [0, 1, 20, 80])
      yield* addToDay(organisationId, Date.now() - age * 86_400_000, { accepted: 30 + age, failed: age, pages: 9 });
  });
  return ['/overview', '/overview?period=7d', '/overview?period=90d', '/overview?period=oops'];
}
