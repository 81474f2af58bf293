import { type BoundedCount, MAX_COUNTED_ROWS } from './bounded-count.js';
import { boundIds } from './page.js';
import { all, now, type Unit } from './unit.js';

/** Counts the calls with each key of an organisation since a time. */
export function* countCallsByKey(
  organisationId: string,
  sinceMs: number,
): Unit<Array<BoundedCount & { keyId: string }>> {
  const { where, values } = boundIds('request', sinceMs, yield* now());
  const rows = yield* all<{ keyId: string; n: number }>(
    `SELECT api_key.id AS "keyId", (SELECT count(*) FROM (SELECT 1 AS found FROM request
         WHERE request.organisation_id = :organisationId AND request.key_id = api_key.id
           AND request.created_at >= :sinceMs AND ${where.join(' AND ')} LIMIT :max) AS counted) AS n
     FROM api_key WHERE api_key.organisation_id = :organisationId ORDER BY api_key.created_at, api_key.id`,
    { ...values, organisationId, sinceMs, max: MAX_COUNTED_ROWS },
  );
  return rows.map(({ keyId, n }) => ({ keyId, n, isAtLeast: n >= MAX_COUNTED_ROWS }));
}

/** How often an error was answered, or ended a job whose call had been answered before. */
export interface ErrorCount {
  code: string;
  function: string;
  /** Jobs are listed by readJobPage, calls by readRequestPage. */
  kind: 'call' | 'job';
  n: number;
}

/** The number of errors that are told apart. */
const MAX_ERRORS = 20;

/** Lists the most frequent errors since a time, by code and function: among the newest 10,000 of refused calls and of failed jobs. */
export function* listTopErrors(organisationId: string, sinceMs: number): Unit<ErrorCount[]> {
  const { where, values } = boundIds('request', sinceMs, yield* now());
  return yield* all<ErrorCount>(
    `SELECT code, function, kind, count(*) AS n FROM (
       SELECT * FROM (SELECT error_code AS code, function, 'call' AS kind FROM request
         WHERE organisation_id = :organisationId AND created_at >= :sinceMs AND status >= 400 AND ${where.join(' AND ')}
         ORDER BY created_at DESC LIMIT :max) AS calls
       UNION ALL
       SELECT * FROM (SELECT error_code AS code, function, 'job' AS kind FROM job
         WHERE organisation_id = :organisationId AND created_at >= :sinceMs AND status = 'failed'
           AND finished_at IS NOT NULL AND deferred = 1
         ORDER BY created_at DESC LIMIT :max) AS jobs
     ) AS errors WHERE code IS NOT NULL
     GROUP BY code, function, kind ORDER BY n DESC, code, function, kind LIMIT :errors`,
    { ...values, organisationId, sinceMs, max: MAX_COUNTED_ROWS, errors: MAX_ERRORS },
  );
}
