import type { Database } from './database.js';

/** Head start of urgent jobs over older ones of their organisation; bounds how long those can starve. */
const HEAD_START_MS = 30_000;
export const URGENT = 0;
export const ORDINARY = 1;

/** Time in which the use of the workers counts half. An organisation that was busy is soon like any other. */
const HALF_LIFE_MS = 10_000;
/**
 * Length up to which a document costs less than its time. A call that comes while a document runs waits for half of it on
 * average, so a document delays others as the square of its length.
 */
const QUICK_MS = 250;
/** Recent use up to which an organisation may take a reserved slot: about a seventh of one worker. */
const MAX_LIGHT_USE_MS = 2_000;

/** The organisations that a claim may choose from. `light`: nothing of it runs, and it used little of the workers lately. */
export type Choice = 'any' | 'light';

const waitingHead = (priority: number, headStartMs: number, organisation: string) => `
  SELECT * FROM (SELECT id, created_at - ${headStartMs} AS place FROM job
    WHERE status = 'queued' AND organisation_id = ${organisation} AND priority = ${priority}
    ORDER BY created_at, id LIMIT 1) AS head_${priority}`;

/** The oldest urgent and the oldest ordinary job of an organisation; the one that comes first has the smallest place. */
const waitingHeads = (organisation: string) => `(${waitingHead(URGENT, HEAD_START_MS, organisation)}
  UNION ALL ${waitingHead(ORDINARY, 0, organisation)}) AS heads`;

/**
 * Selects whose turn it is: the organisation with the fewest running documents, then with the least recent use, then with the
 * job that waits longest. The recursion visits each waiting organisation once, whatever the number of its jobs.
 */
const NEXT_ORGANISATION = `
  WITH RECURSIVE waiting (organisation_id) AS (
    SELECT min(organisation_id) FROM job WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT min(organisation_id) FROM job WHERE status = 'queued' AND organisation_id > waiting.organisation_id)
    FROM waiting WHERE waiting.organisation_id IS NOT NULL
  ), running (organisation_id, documents) AS (
    SELECT organisation_id, count(*) FROM job WHERE status = 'processing' GROUP BY organisation_id
  ), ranked (organisation_id, documents, fades_at) AS MATERIALIZED (
    SELECT waiting.organisation_id, coalesce(running.documents, 0), coalesce(worker_time.fades_at, 0)
    FROM waiting LEFT JOIN running ON running.organisation_id = waiting.organisation_id
      LEFT JOIN worker_time ON worker_time.organisation_id = waiting.organisation_id
    WHERE waiting.organisation_id IS NOT NULL
  ), best AS (
    SELECT documents, fades_at FROM ranked WHERE documents <= :maxDocuments AND fades_at <= :maxFadesAtMs
    ORDER BY documents, fades_at LIMIT 1
  )
  SELECT ranked.organisation_id AS "organisationId" FROM ranked
    JOIN best ON best.documents = ranked.documents AND best.fades_at = ranked.fades_at
  ORDER BY (SELECT min(place) FROM ${waitingHeads('ranked.organisation_id')}), ranked.organisation_id LIMIT 1`;

/** Selects the id of an organisation's next job: urgent ones have a head start, otherwise the oldest is first. */
export const NEXT_JOB_ID = `SELECT id FROM ${waitingHeads(':organisationId')} ORDER BY place, id LIMIT 1`;

/** Returns the organisation whose turn it is; undefined when none waits that may be chosen. */
export function findNextOrganisation(db: Database, choice: Choice, nowMs: number): string | undefined {
  const isLight = choice === 'light';
  return db.get<{ organisationId: string }>(NEXT_ORGANISATION, {
    maxDocuments: isLight ? 0 : Number.MAX_SAFE_INTEGER,
    maxFadesAtMs: isLight ? fadesAt(MAX_LIGHT_USE_MS, nowMs) : Number.MAX_SAFE_INTEGER,
  })?.organisationId;
}

/** Adds the time of one run to the recent use of its organisation. Part of the transaction that ends the run. */
export function noteWorkerTime(db: Database, organisationId: string, durationMs: number): void {
  const nowMs = Date.now();
  const known = db.get<{ fadesAtMs: number }>(
    'SELECT fades_at AS "fadesAtMs" FROM worker_time WHERE organisation_id = :organisationId',
    { organisationId },
  );
  const fadesAtMs = addUse(known?.fadesAtMs, durationMs, nowMs);
  db.run(
    `INSERT INTO worker_time (organisation_id, fades_at) VALUES (:organisationId, :fadesAtMs)
     ON CONFLICT (organisation_id) DO UPDATE SET fades_at = excluded.fades_at`,
    { organisationId, fadesAtMs },
  );
}

/**
 * Recent use halves every `HALF_LIFE_MS`. It is kept as the time when it will have faded to one millisecond: of two
 * organisations the one with the earlier time has used less, now and at any later time.
 */
function addUse(knownFadesAtMs: number | undefined, durationMs: number, nowMs: number): number {
  const used = knownFadesAtMs === undefined ? 0 : 2 ** ((knownFadesAtMs - nowMs) / HALF_LIFE_MS);
  return fadesAt(used + durationMs * Math.min(1, durationMs / QUICK_MS), nowMs);
}

/** A clock that was set back would leave a use for ever, so no more than this is believed. */
const MAX_USE_MS = 24 * 60 * 60 * 1000;

function fadesAt(useMs: number, nowMs: number): number {
  return Math.round(nowMs + HALF_LIFE_MS * Math.log2(Math.min(MAX_USE_MS, Math.max(1, useMs))));
}
