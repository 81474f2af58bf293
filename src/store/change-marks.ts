import { createHash } from 'node:crypto';
import { boundIds } from './page.js';
import { all, now, one, type SqlValue, type Unit } from './unit.js';

/** Kinds of things that pages show of an organisation. `settings`: keys, endpoints, plans, members; each change is audited. */
export const SUBJECTS = ['calls', 'jobs', 'deliveries', 'settings'] as const;

export type Subject = (typeof SUBJECTS)[number];

/** A text for each subject, which differs when something of it has changed. */
export type ChangeMarks = Readonly<Record<Subject, string>>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows of a page: the newest are those that pages show and that change. */
const MAX_ROWS = 50;
/** Waiting deliveries of one endpoint that are looked at; the next attempt is that of the first. */
const MAX_WAITING = 10;
/** Characters of a mark. A page that misses a change shows it at the next. */
const MARK_LENGTH = 10;

/** Reads the marks of an organisation, each from a few rows that an index gives. */
export function* readChangeMarks(organisationId: string): Unit<ChangeMarks> {
  return {
    calls: yield* markCalls(organisationId),
    jobs: yield* markJobs(organisationId),
    deliveries: yield* markDeliveries(organisationId),
    settings: yield* markSettings(organisationId),
  };
}

function* markCalls(organisationId: string): Unit<string> {
  const nowMs = yield* now();
  const sinceMs = nowMs - DAY_MS;
  const { where, values } = boundIds('request', sinceMs, nowMs);
  return markOf(
    yield* all(
      `SELECT id, status FROM request
       WHERE ${['organisation_id = :organisationId', 'created_at >= :sinceMs', ...where].join(' AND ')}
       ORDER BY created_at DESC, id DESC LIMIT :max`,
      { ...values, organisationId, sinceMs, max: MAX_ROWS },
    ),
  );
}

/** Each end of a job is an event, so that the ends of old jobs are seen too. */
function* markJobs(organisationId: string): Unit<string> {
  const values = { organisationId, max: MAX_ROWS };
  const ended = yield* one('SELECT max(number) AS number FROM event WHERE organisation_id = :organisationId', {
    organisationId,
  });
  const running = yield* all(
    `SELECT id, attempts, pages_done, page_count FROM job WHERE organisation_id = :organisationId AND status = 'processing'
     ORDER BY id LIMIT :max`,
    values,
  );
  const newest = yield* all(
    `SELECT id, status, attempts, deleted_at FROM job WHERE organisation_id = :organisationId
     ORDER BY created_at DESC, id DESC LIMIT :max`,
    values,
  );
  return markOf([ended ?? {}, ...running, ...newest]);
}

function* markDeliveries(organisationId: string): Unit<string> {
  const rows = yield* all(
    `SELECT id, status, attempts FROM webhook_delivery WHERE organisation_id = :organisationId
     ORDER BY created_at DESC, id DESC LIMIT :max`,
    { organisationId, max: MAX_ROWS },
  );
  const endpoints = yield* all<{ id: string }>(
    'SELECT id FROM webhook_endpoint WHERE organisation_id = :organisationId AND removed_at IS NULL',
    { organisationId },
  );
  for (const { id } of endpoints)
    rows.push(
      ...(yield* all(
        `SELECT id, attempts, next_attempt_at FROM webhook_delivery WHERE endpoint_id = :id AND status = 'pending'
         ORDER BY next_attempt_at LIMIT :max`,
        { id, max: MAX_WAITING },
      )),
    );
  return markOf(rows);
}

function* markSettings(organisationId: string): Unit<string> {
  const newest = yield* one(
    'SELECT id FROM audit WHERE organisation_id = :organisationId ORDER BY created_at DESC, id DESC LIMIT 1',
    { organisationId },
  );
  return markOf([newest ?? {}]);
}

function markOf(rows: ReadonlyArray<Record<string, SqlValue>>): string {
  const text = rows.map((row) => Object.values(row).join(' ')).join('\n');
  return createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH);
}
