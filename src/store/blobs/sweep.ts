import { shortIdTimes } from '../../contract/identifiers.js';
import type { Store } from '../store.js';
import { all, now, type Unit } from '../unit.js';
import type { BlobStorage } from './storage.js';

/** Documents that one statement looks up. Its text is the same for any number of them up to this one. */
const IDS_AT_ONCE = 500;
const PLACES = Array.from({ length: IDS_AT_ONCE }, (_, i) => `id${i}`);

/** Times after which a document may go. */
interface Ages {
  /** Since the end of its job. */
  endedMs: number;
  /** Since its id was made, where no job has it. */
  unknownMs: number;
}

/** Removes the documents of a storage that no job needs. Returns how many. */
export async function sweepStorage(
  store: Store,
  storage: BlobStorage,
  unknownMs: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const page of storage.list()) {
    for (let at = 0; at < page.length; at += IDS_AT_ONCE) {
      const ages = { endedMs: storage.keepEndedMs, unknownMs };
      for (const id of await store.read(findUnneeded(page.slice(at, at + IDS_AT_ONCE), ages))) {
        if (signal?.aborted === true) return removed;
        await storage.remove(id);
        removed++;
      }
    }
  }
  return removed;
}

/** Returns those of the documents that no job needs. */
function* findUnneeded(documents: readonly string[], { endedMs, unknownMs }: Ages): Unit<string[]> {
  const rows = yield* all<{ id: string; unfinished: number; finishedAtMs: number | null }>(
    `SELECT document_id AS id, count(*) - count(finished_at) AS unfinished, max(finished_at) AS "finishedAtMs" FROM job
     WHERE document_id IN (${PLACES.map((place) => `:${place}`).join()}) GROUP BY document_id`,
    Object.fromEntries(PLACES.map((place, i) => [place, documents[Math.min(i, documents.length - 1)] ?? ''])),
  );
  const nowMs = yield* now();
  const known = new Map(rows.map((row) => [row.id, row]));
  return documents.filter((id) => {
    const job = known.get(id);
    if (job === undefined) return shortIdTimes(id).firstMs + unknownMs <= nowMs;
    return job.unfinished === 0 && (job.finishedAtMs ?? nowMs) + endedMs <= nowMs;
  });
}
