import { idTime } from '../src/contract/identifiers.js';
import type { Store } from '../src/store/store.js';
import { run } from '../src/store/unit.js';
import { addToDay } from '../src/store/usage-days.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 88;
const ROWS_PER_STATEMENT = 500;
const STATEMENTS_PER_WRITE = 20;
/** One call in so many is of a rare key; got an answer of 500; has a job; has a delivery. */
const RARE = 100_000;
const WITH_JOB = 4;

/** Ids of what a bench looks up. */
export interface PortalRows {
  requestId: string;
  jobId: string;
}

/** Fills the log of one organisation: calls over three months, a quarter of them with a job and a delivery. */
export async function fillPortal(store: Store, organisationId: string, calls: number): Promise<PortalRows> {
  const nowMs = Date.now();
  await store.write(() =>
    run(
      `INSERT INTO webhook_endpoint (id, organisation_id, url, events, secret, created_at)
       VALUES ('whe_BENCH', :organisationId, 'https://example.com/hook', 'document.processed', 'sealed', :nowMs)`,
      { organisationId, nowMs },
    ),
  );
  await store.write(function* () {
    for (let day = 0; day < DAYS; day++)
      yield* addToDay(organisationId, nowMs - day * DAY_MS, {
        accepted: Math.ceil(calls / DAYS),
        failed: 3,
        pages: 30,
      });
  });
  const perWrite = ROWS_PER_STATEMENT * STATEMENTS_PER_WRITE;
  for (let from = 0; from < calls; from += perWrite)
    await store.write(
      function* () {
        for (let at = from; at < Math.min(calls, from + perWrite); at += ROWS_PER_STATEMENT)
          for (const sql of renderInserts(organisationId, at, calls, nowMs)) yield* run(sql);
      },
      { isSynced: false },
    );
  const newest = idOf(calls - WITH_JOB, calls, nowMs);
  return { requestId: `req_${newest}`, jobId: `job_${newest}` };
}

function timeOf(index: number, calls: number, nowMs: number): number {
  return Math.floor(nowMs - (calls - index) * ((DAYS * DAY_MS) / calls));
}

function idOf(index: number, calls: number, nowMs: number): string {
  return idTime(timeOf(index, calls, nowMs)) + String(index).padStart(16, '0');
}

function* renderInserts(organisationId: string, from: number, calls: number, nowMs: number): Generator<string> {
  const indices = Array.from({ length: Math.min(ROWS_PER_STATEMENT, calls - from) }, (_, i) => from + i);
  const org = `'${organisationId}'`;
  const rows = (render: (index: number, id: string, atMs: number) => string, some = indices) =>
    some.map((index) => `(${render(index, idOf(index, calls, nowMs), timeOf(index, calls, nowMs))})`).join(',');
  const isRare = (index: number) => index % RARE === RARE / 2;
  const ofJob = indices.filter((index) => index % WITH_JOB === 0);
  yield `INSERT INTO request (id, method, path, organisation_id, key_id, key_last_four, function, file_name, size_bytes, sha256,
      mime_type, page_count, job_id, cached, status, error_code, provider, processing_ms, created_at, duration_ms) VALUES ${rows(
        (index, id, atMs) =>
          `'req_${id}','POST','/v1/ocr/TEXT_EXTRACTION',${org},'${isRare(index) ? 'key_RARE' : 'key_BENCH'}','abcd','TEXT_EXTRACTION',
         'quarterly report ${index}.pdf',12345,'ab','application/pdf',3,${index % WITH_JOB === 0 ? `'job_${id}'` : 'NULL'},0,
         ${isRare(index) ? 500 : index % 50 === 1 ? 400 : 200},${isRare(index) ? `'INTERNAL_ERROR'` : index % 50 === 1 ? `'INVALID_DOCUMENT'` : 'NULL'},
         'test',20,${atMs},25`,
      )}`;
  yield `INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at) VALUES ${rows(
    (_, id, atMs) => `'doc_${id}',${org},'ab',12345,'application/pdf',3,${atMs}`,
    ofJob,
  )}`;
  yield `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
      interruptions, created_at, started_at, finished_at, pages_done, page_count, error_code) VALUES ${rows(
        (index, id, atMs) =>
          `'job_${id}',${org},'req_${id}','doc_${id}','TEXT_EXTRACTION','{}','${id}','${index % 400 === 0 ? 'failed' : 'completed'}',0,1,0,
         ${atMs},${atMs},${atMs + 20},3,3,${index % 400 === 0 ? `'INVALID_DOCUMENT'` : 'NULL'}`,
        ofJob,
      )}`;
  const statusOf = (index: number) => (index % RARE === 0 ? 404 : index % 400 === 0 ? 503 : 204);
  yield `INSERT INTO webhook_delivery (id, endpoint_id, organisation_id, event, request_id, body, status, attempts, series_start,
      finished_at, created_at) VALUES ${rows(
        (index, id, atMs) =>
          `'dlv_${id}','whe_BENCH',${org},'document.processed','req_${id}','{}','${statusOf(index) === 204 ? 'delivered' : 'dead'}',1,0,
         ${atMs + 40},${atMs}`,
        ofJob,
      )}`;
  yield `INSERT INTO webhook_attempt (delivery_id, number, started_at, latency_ms, status) VALUES ${rows(
    (index, id, atMs) => `'dlv_${id}',1,${atMs + 30},10,${statusOf(index)}`,
    ofJob,
  )}`;
}
