import type { Store } from './store.js';

/** One line of the request log: never document text, never a raw key. */
export interface RequestEntry {
  id: string;
  organisationId: string | undefined;
  keyId: string | undefined;
  keyLastFour: string | undefined;
  function: string;
  fileName: string | undefined;
  sizeBytes: number | undefined;
  pageCount: number | undefined;
  jobId: string | undefined;
  isCached: boolean;
  /** The request whose answer was given again under the same Idempotency-Key. */
  replayOf: string | undefined;
  status: number;
  errorCode: string | undefined;
  createdAtMs: number;
  durationMs: number;
}

/** Writes a call's line; an accepted call has one since its job began, which is now completed by the answer. */
export async function recordRequest(store: Store, entry: RequestEntry): Promise<void> {
  await store.write((db) =>
    db.run(
      `INSERT INTO request (id, organisation_id, key_id, key_last_four, function, file_name, size_bytes, page_count, job_id,
         cached, replay_of, status, error_code, created_at, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, error_code = excluded.error_code,
         duration_ms = coalesce(request.duration_ms, excluded.duration_ms)`,
      entry.id,
      entry.organisationId ?? null,
      entry.keyId ?? null,
      entry.keyLastFour ?? null,
      entry.function,
      entry.fileName ?? null,
      entry.sizeBytes ?? null,
      entry.pageCount ?? null,
      entry.jobId ?? null,
      entry.isCached ? 1 : 0,
      entry.replayOf ?? null,
      entry.status,
      entry.errorCode ?? null,
      entry.createdAtMs,
      entry.durationMs,
    ),
  );
}

/** What was answered to an earlier call, so that it can be answered again. `status` is null while it runs. */
export interface EarlierAnswer {
  requestId: string;
  function: string;
  jobId: string | null;
  isCached: boolean;
  status: number | null;
  durationMs: number | null;
}

export async function findEarlierAnswer(store: Store, requestId: string): Promise<EarlierAnswer | undefined> {
  const row = store.read.get<Omit<EarlierAnswer, 'isCached'> & { cached: number }>(
    `SELECT id AS "requestId", function, job_id AS "jobId", cached, status, duration_ms AS "durationMs" FROM request WHERE id = ?`,
    requestId,
  );
  if (row === undefined) return undefined;
  const { cached, ...rest } = row;
  return { ...rest, isCached: cached === 1 };
}
