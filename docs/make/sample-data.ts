import { createId } from '../../dist/contract/identifiers.js';
import { periodOf } from '../../dist/service/intake/subscription.js';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { listApiKeys } from '../../dist/store/api-keys.js';
import { findOrganisation, updateOrganisation } from '../../dist/store/organisations.js';
import { type RequestEntry, writeRequest } from '../../dist/store/requests.js';
import type { Store } from '../../dist/store/store.js';
import { run } from '../../dist/store/unit.js';
import { addToDay } from '../../dist/store/usage-days.js';

const DAY_MS = 86_400_000;
const DAYS = 40;
/** Documents of a day, from Sunday. */
const WEEK = [38, 164, 181, 172, 190, 158, 52];

interface Sample extends Partial<RequestEntry> {
  function: string;
  fileName: string;
}

const SAMPLES: readonly Sample[] = [
  { function: 'TEXT_EXTRACTION', fileName: 'invoice-2041.pdf', pageCount: 2, durationMs: 84 },
  { function: 'TEXT_EXTRACTION', fileName: 'letter.pdf', pageCount: 1, durationMs: 61 },
  { function: 'TABLE_EXTRACTION', fileName: 'statement-october.pdf', pageCount: 4, durationMs: 213 },
  { function: 'LAYOUT_ANALYSIS', fileName: 'annual-report.pdf', pageCount: 4, durationMs: 388 },
  { function: 'TEXT_EXTRACTION', fileName: 'invoice-2040.pdf', pageCount: 2, durationMs: 12, isCached: true },
  { function: 'BARCODE_READING', fileName: 'parcel-labels.pdf', pageCount: 12, durationMs: 940 },
  {
    function: 'TEXT_EXTRACTION',
    fileName: 'minutes.docx',
    status: 415,
    errorCode: 'UNSUPPORTED_MEDIA_TYPE',
    durationMs: 5,
  },
  { function: 'SEARCHABLE_PDF', fileName: 'archive-1987.pdf', pageCount: 48, status: 202, durationMs: 31 },
  { function: 'FORM_FIELDS', fileName: 'membership-form.pdf', pageCount: 1, durationMs: 47 },
  { function: 'TEXT_EXTRACTION', fileName: 'scan-0312.jpg', pageCount: 1, durationMs: 1_420 },
  {
    function: 'TEXT_EXTRACTION',
    fileName: 'scan-0311.jpg',
    status: 400,
    errorCode: 'INVALID_DOCUMENT',
    durationMs: 18,
  },
  { function: 'DOCUMENT_INSPECTION', fileName: 'contract-signed.pdf', pageCount: 9, durationMs: 55 },
];
const CALLS = 64;
const MINUTE_MS = 60_000;

/** Writes an organisation with weeks of documents and a day of calls. Returns its id. */
export async function writeSampleData(store: Store): Promise<string> {
  const nowMs = Date.now();
  const orgId = await createOrganisation(store, 'Alder Library');
  await updateOrganisation(store, orgId, { ownLimits: { documentsPerPeriod: 6_000, requestsPerWindow: 600 } });
  for (const name of ['Scanner desk', 'Archive import']) await createApiKey(store, orgId, name, { madeBy: 'Ada Hill' });
  const keys = await listApiKeys(store, orgId);
  await store.write(() => run('UPDATE organisation SET created_at = :atMs', { atMs: nowMs - DAYS * DAY_MS }));
  await writeDays(store, orgId, nowMs);
  await store.write(function* () {
    for (let index = 0; index < CALLS; index++) {
      const sample = chooseSample(index);
      const key = keys[index % 5 === 0 ? 1 : 0];
      const createdAtMs = nowMs - (index + 1) * 19 * MINUTE_MS - ((index * 37) % 11) * 4_300;
      yield* writeRequest(describe(sample, { orgId, keyId: key?.id, keyLastFour: key?.lastFour, createdAtMs }));
    }
  });
  return orgId;
}

/** Chooses a call. Some errors come half as often as others. */
function chooseSample(index: number): Sample {
  const [first] = SAMPLES;
  const sample = SAMPLES[index % SAMPLES.length] ?? first;
  const isRare = sample?.errorCode === 'INVALID_DOCUMENT' && index % (2 * SAMPLES.length) >= SAMPLES.length;
  return (isRare ? first : sample) as Sample;
}

/** Writes the documents of each day, and their sum in the present period. */
async function writeDays(store: Store, orgId: string, nowMs: number): Promise<void> {
  const organisation = await findOrganisation(store, orgId);
  if (organisation === undefined) throw new Error('the organisation is gone');
  const period = periodOf(organisation, nowMs).name;
  await store.write(function* () {
    let documents = 0;
    for (let age = DAYS; age >= 0; age--) {
      const atMs = nowMs - age * DAY_MS;
      const weekday = new Date(atMs).getUTCDay();
      const accepted = Math.round((WEEK[weekday] ?? 0) * (1 + ((age * 7) % 13) / 40 - age / 160));
      yield* addToDay(orgId, atMs, {
        accepted,
        failed: age % 4,
        cached: Math.round(accepted / 9),
        pages: accepted * 3,
      });
      if (new Date(atMs).toISOString().startsWith(new Date(nowMs).toISOString().slice(0, 7)))
        documents += accepted - (age % 4);
    }
    yield* run('INSERT INTO usage (organisation_id, period, documents) VALUES (:orgId, :period, :documents)', {
      orgId,
      period,
      documents,
    });
  });
}

function describe(
  { function: name, status = 200, ...sample }: Sample,
  call: { orgId: string; keyId: string | undefined; keyLastFour: string | undefined; createdAtMs: number },
): RequestEntry {
  const { orgId, ...rest } = call;
  return {
    id: createId('req', call.createdAtMs),
    method: 'POST',
    path: `/v1/ocr/${name}`,
    organisationId: orgId,
    function: name,
    sizeBytes: 84_210,
    sha256: undefined,
    mimeType: undefined,
    pageCount: undefined,
    jobId: undefined,
    isCached: false,
    replayOf: undefined,
    status,
    errorCode: undefined,
    errorMessage: undefined,
    provider: undefined,
    processingMs: undefined,
    durationMs: 60,
    ...sample,
    ...rest,
  };
}
