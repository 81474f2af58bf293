import type { Database } from './database.js';
import type { Store } from './store.js';

/** Where a document counts: the period's name and how many it may hold; undefined: as many as come. */
export interface Allowance {
  period: string;
  limit: number | undefined;
}

/** Documents of an organisation that count in a period. */
export async function findUsage(store: Store, organisationId: string, period: string): Promise<number> {
  return (
    store.read.get<{ documents: number }>(
      'SELECT documents FROM usage WHERE organisation_id = ? AND period = ?',
      organisationId,
      period,
    )?.documents ?? 0
  );
}

/** Counts one more document; false where the allowance is used up, and then nothing has changed. Part of a transaction. */
export function countDocument(db: Database, organisationId: string, { period, limit }: Allowance): boolean {
  const add = () =>
    db.run(
      'UPDATE usage SET documents = documents + 1 WHERE organisation_id = ? AND period = ? AND documents < ?',
      organisationId,
      period,
      limit ?? Number.MAX_SAFE_INTEGER,
    ) === 1;
  if (add()) return true;
  const isNew =
    db.run(
      'INSERT INTO usage (organisation_id, period, documents) VALUES (?, ?, 0) ON CONFLICT (organisation_id, period) DO NOTHING',
      organisationId,
      period,
    ) === 1;
  return isNew && add();
}

/** Takes back what a job's document counted, in the period that it counted in, and only once. Part of the transaction that ends the job. */
export function giveDocumentBack(db: Database, jobId: string): void {
  const job = db.get<{ organisationId: string; period: string | null }>(
    'SELECT organisation_id AS "organisationId", usage_period AS period FROM job WHERE id = ?',
    jobId,
  );
  if (job === undefined || job.period === null) return;
  db.run('UPDATE job SET usage_period = NULL WHERE id = ?', jobId);
  db.run(
    'UPDATE usage SET documents = documents - 1 WHERE organisation_id = ? AND period = ? AND documents > 0',
    job.organisationId,
    job.period,
  );
}
