import { shortIdTimes } from '../contract/identifiers.js';
import type { Store } from './store.js';
import { ids } from './unit.js';

/** Candidates that are found for a shortened id; more would say no more. */
export const MAX_CANDIDATES = 5;

/** Kinds of ids that may be shortened. */
const TABLES = { req: 'request', job: 'job' } as const;
export type ShortenedKind = keyof typeof TABLES;

/**
 * The greatest ends of an id. A database may order texts as people do, where only letters are sure to come after letters and
 * digits.
 */
const LAST = 'Z'.repeat(26);

/** Difference between the time in an id and `created_at` of its row, for clocks that are set in between. */
export const CLOCK_STEP_MS = 600_000;

/**
 * Finds ids by their beginning, `req_01AB`: those of one organisation, or of all. Up to one more than MAX_CANDIDATES. Among the
 * rows of an organisation the time in the id bounds the search, so that rows of others cost nothing.
 */
export async function findShortened(
  store: Store,
  kind: ShortenedKind,
  shortened: string,
  organisationId?: string,
): Promise<string[]> {
  const table = TABLES[kind];
  const values = {
    from: shortened,
    to: shortened + LAST.slice(shortened.length - shortened.indexOf('_') - 1),
    limit: MAX_CANDIDATES + 1,
  };
  if (organisationId === undefined)
    return await store.read(
      ids(`SELECT id FROM ${table} WHERE id >= :from AND id <= :to ORDER BY id DESC LIMIT :limit`, values),
    );
  const { firstMs, lastMs } = shortIdTimes(shortened);
  return await store.read(
    ids(
      `SELECT id FROM ${table} WHERE organisation_id = :organisationId AND created_at >= :firstMs AND created_at <= :lastMs
       AND id >= :from AND id <= :to ORDER BY created_at DESC LIMIT :limit`,
      { ...values, organisationId, firstMs: firstMs - CLOCK_STEP_MS, lastMs: lastMs + CLOCK_STEP_MS },
    ),
  );
}
