import { createApiKey } from '../../../dist/store/access.js';
import { listApiKeys } from '../../../dist/store/api-keys.js';
import { writeRequest } from '../../../dist/store/requests.js';
import type { Store } from '../../../dist/store/store.js';
import { makeRequestEntry } from './make-request-entry.js';
import { HOSTILE } from './portal-pages.js';

const LONG = HOSTILE + 'x'.repeat(10_000);

/** Writes things with hostile names, and returns the addresses of each page in each of its states. A new page has its lines here. */
export async function writePathsOf(store: Store, organisationId: string): Promise<string[]> {
  return [
    ...(await writeCalls(store, organisationId)),
    ...(await writeKeys(store, organisationId)),
    '/functions',
    '/functions?word=nothing',
    '/functions/TEXT_EXTRACTION',
    '/functions/BARCODE_READING',
  ];
}

/** Writes calls, and returns the addresses of their pages. */
export async function writeCalls(store: Store, organisationId: string): Promise<string[]> {
  const refused = { status: 400, errorCode: 'INVALID_DOCUMENT', errorMessage: HOSTILE, fileName: LONG };
  const calls = [makeRequestEntry(organisationId, Date.now()), makeRequestEntry(organisationId, Date.now(), refused)];
  await store.write(function* () {
    for (const call of calls) yield* writeRequest(call);
  });
  return [
    '/request-logs',
    '/request-logs?status=4xx&function=TEXT_EXTRACTION',
    '/request-logs?status=oops',
    '/request-logs?status=599',
    ...calls.map(({ id }) => `/request-logs/${id}`),
  ];
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
