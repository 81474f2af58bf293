import type { Store } from './store.js';
import { one, run, type Unit } from './unit.js';
import { addToDay } from './usage-days.js';

/** The period that a document counts in. */
export interface Allowance {
  period: string;
  /** Undefined is "no limit". */
  limit: number | undefined;
}

/** Returns how many documents of an organisation count in a period. */
export async function findUsage(store: Store, organisationId: string, period: string): Promise<number> {
  return (
    (
      await store.read(
        one<{ documents: number }>(
          'SELECT documents FROM usage WHERE organisation_id = :organisationId AND period = :period',
          { organisationId, period },
        ),
      )
    )?.documents ?? 0
  );
}

/** Counts one more document of a time; false when the allowance is used up, and then nothing changes. Part of a transaction. */
export function* countDocument(organisationId: string, allowance: Allowance, nowMs: number): Unit<boolean> {
  if (!(yield* countInPeriod(organisationId, allowance))) return false;
  yield* addToDay(organisationId, nowMs, { accepted: 1 });
  return true;
}

function* countInPeriod(organisationId: string, allowance: Allowance): Unit<boolean> {
  if (yield* addDocument(organisationId, allowance)) return true;
  // The first document of a period has no row yet. Of two at the same time one adds it, and both count in it.
  yield* run(
    `INSERT INTO usage (organisation_id, period, documents) VALUES (:organisationId, :period, 0)
     ON CONFLICT (organisation_id, period) DO NOTHING`,
    { organisationId, period: allowance.period },
  );
  return yield* addDocument(organisationId, allowance);
}

function* addDocument(organisationId: string, { period, limit }: Allowance): Unit<boolean> {
  return (
    (yield* run(
      `UPDATE usage SET documents = documents + 1
       WHERE organisation_id = :organisationId AND period = :period AND documents < :limit`,
      { organisationId, period, limit: limit ?? Number.MAX_SAFE_INTEGER },
    )) === 1
  );
}

/** Uncounts a job's document in its period and day, at most once. The end of the transaction that ends the job. */
export function* giveDocumentBack(jobId: string): Unit<void> {
  const job = yield* one<{ organisationId: string; period: string | null; createdAtMs: number }>(
    `SELECT organisation_id AS "organisationId", usage_period AS period, created_at AS "createdAtMs" FROM job
     WHERE id = :jobId`,
    { jobId },
  );
  if (job === undefined || job.period === null) return;
  const { organisationId, period, createdAtMs } = job;
  yield* run('UPDATE job SET usage_period = NULL WHERE id = :jobId', { jobId });
  yield* run(
    `UPDATE usage SET documents = documents - 1
     WHERE organisation_id = :organisationId AND period = :period AND documents > 0`,
    { organisationId, period },
  );
  yield* addToDay(organisationId, createdAtMs, { failed: 1 });
}
