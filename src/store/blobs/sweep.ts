import { shortIdTimes } from '../../contract/identifiers.js';
import { createIdList } from '../id-list.js';
import type { Store } from '../store.js';
import { all, ids, now, type Unit } from '../unit.js';
import type { LargeResults } from './large-results.js';
import type { BlobStorage } from './storage.js';

const LIST = createIdList(500);

/** Removes the documents of a storage that no job needs; those that no job has, by the age of their ids. Returns how many. */
export async function sweepDocuments(
  store: Store,
  storage: BlobStorage,
  unknownMs: number,
  signal?: AbortSignal,
): Promise<number> {
  return await sweep(store, storage, (page) => findUnneeded(page, storage.keepEndedMs, unknownMs), signal);
}

/** Removes results whose row is gone, and older ones that never got a row. Returns how many. */
export async function sweepResults(
  store: Store,
  results: LargeResults,
  unknownMs: number,
  signal?: AbortSignal,
): Promise<number> {
  return await sweep(store, results, (page) => findWithoutRow(page, unknownMs), signal);
}

async function sweep(
  store: Store,
  place: Pick<BlobStorage, 'list' | 'remove'>,
  find: (page: readonly string[]) => Unit<string[]>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  for await (const page of place.list()) {
    for (const part of LIST.partsOf(page)) {
      for (const id of await store.read(find(part))) {
        if (signal?.aborted === true) return removed;
        await place.remove(id);
        removed++;
      }
    }
  }
  return removed;
}

function* findUnneeded(documents: readonly string[], endedMs: number, unknownMs: number): Unit<string[]> {
  const rows = yield* all<{ id: string; unfinished: number; finishedAtMs: number | null }>(
    `SELECT document_id AS id, count(*) - count(finished_at) AS unfinished, max(finished_at) AS "finishedAtMs" FROM job
     WHERE document_id IN ${LIST.sql} GROUP BY document_id`,
    LIST.valuesOf(documents),
  );
  const nowMs = yield* now();
  const known = new Map(rows.map((row) => [row.id, row]));
  return documents.filter((id) => {
    const job = known.get(id);
    if (job === undefined) return isOlder(id, unknownMs, nowMs);
    return job.unfinished === 0 && (job.finishedAtMs ?? nowMs) + endedMs <= nowMs;
  });
}

function* findWithoutRow(results: readonly string[], unknownMs: number): Unit<string[]> {
  const known = yield* ids(`SELECT blob_id AS id FROM result WHERE blob_id IN ${LIST.sql}`, LIST.valuesOf(results));
  const nowMs = yield* now();
  return results.filter((id) => !known.includes(id) && isOlder(id, unknownMs, nowMs));
}

function isOlder(id: string, ageMs: number, nowMs: number): boolean {
  return shortIdTimes(id).firstMs + ageMs <= nowMs;
}
