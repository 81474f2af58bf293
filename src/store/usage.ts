import type { Database } from './database.js';
import type { Store } from './store.js';

/** The period that a document counts in. */
export interface Allowance {
  period: string;
  /** Undefined is "no limit". */
  limit: number | undefined;
}

/** Returns how many documents of an organisation count in a period. */
export async function findUsage(store: Store, organisationId: string, period: string): Promise<number> {
  return (
    store.read.get<{ documents: number }>(
      'SELECT documents FROM usage WHERE organisation_id = :organisationId AND period = :period',
      { organisationId, period },
    )?.documents ?? 0
  );
}

/** Counts one more document; false when the allowance is used up, and then nothing changes. Part of a transaction. */
export function countDocument(db: Database, organisationId: string, { period, limit }: Allowance): boolean {
  const add = () =>
    db.run(
      `UPDATE usage SET documents = documents + 1
       WHERE organisation_id = :organisationId AND period = :period AND documents < :limit`,
      { organisationId, period, limit: limit ?? Number.MAX_SAFE_INTEGER },
    ) === 1;
  if (add()) return true;
  const isNew =
    db.run(
      `INSERT INTO usage (organisation_id, period, documents) VALUES (:organisationId, :period, 0)
       ON CONFLICT (organisation_id, period) DO NOTHING`,
      { organisationId, period },
    ) === 1;
  return isNew && add();
}

/** Uncounts a job's document in its period, at most once. Part of the transaction that ends the job. */
export function giveDocumentBack(db: Database, jobId: string): void {
  const job = db.get<{ organisationId: string; period: string | null }>(
    'SELECT organisation_id AS "organisationId", usage_period AS period FROM job WHERE id = :jobId',
    { jobId },
  );
  if (job === undefined || job.period === null) return;
  const { organisationId, period } = job;
  db.run('UPDATE job SET usage_period = NULL WHERE id = :jobId', { jobId });
  db.run(
    `UPDATE usage SET documents = documents - 1
     WHERE organisation_id = :organisationId AND period = :period AND documents > 0`,
    { organisationId, period },
  );
}
