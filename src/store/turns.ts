import { ALL_LANES, LANES, type LaneSet } from './lanes.js';
import { all, one, run, steadyNow, type Unit } from './unit.js';

/** Head start of urgent jobs over older ones of their organisation; bounds how long those can starve. */
export const HEAD_START_MS = 30_000;
export const URGENT = 0;
export const ORDINARY = 1;

/** Time in which the use of the workers counts half. An organisation that was busy is like any other after minutes. */
const HALF_LIFE_MS = 30_000;
/**
 * Length up to which a document costs less than its time. A call that comes while a document runs waits for half of it on
 * average, so a document delays others as the square of its length.
 */
const QUICK_MS = 500;
/** Bounds of the recent use that counts as little. The upper one is about a third of one worker, all the time. */
const MIN_LIGHT_USE_MS = 500;
const MAX_LIGHT_USE_MS = 15_000;

/**
 * The organisations that a claim may choose from. `light`: nothing of it runs, and it used little of the workers lately, at most
 * half as much as another one that has documents running.
 */
type Choice = 'any' | 'light';

/** The documents that a claim may choose from: of some lanes, of some organisations. */
export interface Opening {
  choice: Choice;
  lanes: LaneSet;
}

export const ANY: Opening = { choice: 'any', lanes: ALL_LANES };

/** The first jobs of a lane; none where the lane is not in the set `:lanes`. */
const waitingHead = (lane: number, organisation: string, limit: string) => `
  SELECT * FROM (SELECT id, place FROM job
    WHERE (:lanes & ${1 << lane}) <> 0 AND status = 'queued' AND organisation_id = ${organisation} AND lane = ${lane}
    ORDER BY place, id LIMIT ${limit}) AS head_${lane}`;

/** The first jobs of each lane of an organisation; the one that comes first has the smallest place. */
const waitingHeads = (organisation: string, limit = '1') =>
  `(${Object.values(LANES)
    .map((lane) => waitingHead(lane, organisation, limit))
    .join(' UNION ALL ')}) AS heads`;

/**
 * Selects whose turn it is: the organisation with the fewest running documents, then with the least recent use, then with the
 * job that comes first. The recursion visits each waiting organisation once, whatever the number of its jobs.
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
    SELECT waiting.organisation_id, coalesce(running.documents, 0), coalesce(worker_time.fades_at, :newFadesAtMs)
    FROM waiting LEFT JOIN running ON running.organisation_id = waiting.organisation_id
      LEFT JOIN worker_time ON worker_time.organisation_id = waiting.organisation_id
    WHERE waiting.organisation_id IS NOT NULL AND :passedOver NOT LIKE '%' || waiting.organisation_id || '%'
      AND (:lanes = ${ALL_LANES} OR EXISTS (SELECT 1 FROM ${waitingHeads('waiting.organisation_id')}))
  ), best AS (
    SELECT documents, fades_at FROM ranked WHERE documents <= :maxDocuments AND fades_at <= :maxFadesAtMs
    ORDER BY documents, fades_at LIMIT 1
  )
  SELECT ranked.organisation_id AS "organisationId" FROM ranked
    JOIN best ON best.documents = ranked.documents AND best.fades_at = ranked.fades_at
  ORDER BY (SELECT min(place) FROM ${waitingHeads('ranked.organisation_id')}), ranked.organisation_id LIMIT 1`;

/** Selects the id of an organisation's next job, in the order of their places. */
export const NEXT_JOB_ID = `SELECT id FROM ${waitingHeads(':organisationId')} ORDER BY place, id LIMIT 1`;

/** The same beside other claims: a job that none of them holds, among the first `:candidates` of each lane. */
export const NEXT_FREE_JOB_ID = `
  SELECT id FROM job WHERE status = 'queued' AND id IN (SELECT id FROM ${waitingHeads(':organisationId', ':candidates')})
  ORDER BY place, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** Returns the organisation whose turn it is, besides those that are passed over; undefined when none waits that may be chosen. */
export function* findNextOrganisation(
  { choice, lanes }: Opening,
  nowMs: number,
  passedOver: readonly string[] = [],
): Unit<string | undefined> {
  const isLight = choice === 'light';
  return (yield* one<{ organisationId: string }>(NEXT_ORGANISATION, {
    lanes,
    passedOver: passedOver.join(' '),
    maxDocuments: isLight ? 0 : Number.MAX_SAFE_INTEGER,
    // A new organisation may send anything. One whose documents were quick goes before it.
    newFadesAtMs: fadesAt(MIN_LIGHT_USE_MS, nowMs),
    maxFadesAtMs: isLight ? fadesAt(yield* findLightUse(nowMs), nowMs) : Number.MAX_SAFE_INTEGER,
  }))?.organisationId;
}

const RUNNING = `
  SELECT job.organisation_id AS "organisationId", job.started_at AS "startedAtMs", worker_time.fades_at AS "fadesAtMs"
  FROM job LEFT JOIN worker_time ON worker_time.organisation_id = job.organisation_id WHERE job.status = 'processing'`;

/** Returns the recent use that counts as little beside the organisation that uses the workers most. */
function* findLightUse(nowMs: number): Unit<number> {
  const uses = new Map<string, number>();
  for (const { organisationId, startedAtMs, fadesAtMs } of yield* all<RunningRow>(RUNNING)) {
    const before = uses.get(organisationId) ?? useAt(fadesAtMs, nowMs);
    uses.set(organisationId, before + Math.max(0, nowMs - (startedAtMs ?? nowMs)));
  }
  return Math.min(MAX_LIGHT_USE_MS, Math.max(MIN_LIGHT_USE_MS, Math.max(0, ...uses.values()) / 2));
}

interface RunningRow {
  organisationId: string;
  startedAtMs: number | null;
  /** Null for an organisation whose first document runs. */
  fadesAtMs: number | null;
}

/** Adds the time of one run to the recent use of its organisation. Part of the transaction that ends the run. */
export function* noteWorkerTime(organisationId: string, durationMs: number): Unit<void> {
  const nowMs = yield* steadyNow();
  const select = 'SELECT fades_at AS "fadesAtMs" FROM worker_time WHERE organisation_id = :organisationId FOR UPDATE';
  const costMs = durationMs * Math.min(1, durationMs / QUICK_MS);
  let known = yield* one<{ fadesAtMs: number }>(select, { organisationId });
  if (known === undefined) {
    const added = yield* run(
      `INSERT INTO worker_time (organisation_id, fades_at) VALUES (:organisationId, :fadesAtMs)
       ON CONFLICT (organisation_id) DO NOTHING`,
      { organisationId, fadesAtMs: fadesAt(costMs, nowMs) },
    );
    if (added === 1) return;
    // Another first run of the organisation ended at the same time.
    known = yield* one<{ fadesAtMs: number }>(select, { organisationId });
  }
  const fadesAtMs = fadesAt(useAt(known?.fadesAtMs ?? null, nowMs) + costMs, nowMs);
  yield* run('UPDATE worker_time SET fades_at = :fadesAtMs WHERE organisation_id = :organisationId', {
    organisationId,
    fadesAtMs,
  });
}

/** A clock that was set back would leave a use for ever, so no more than this is believed. */
const MAX_USE_MS = 24 * 60 * 60 * 1000;

/**
 * Recent use halves every `HALF_LIFE_MS`. It is stored as the time when it will have faded to one millisecond: of two
 * organisations the one with the earlier time has used less, now and at any later time.
 */
function fadesAt(useMs: number, nowMs: number): number {
  return Math.round(nowMs + HALF_LIFE_MS * Math.log2(Math.min(MAX_USE_MS, Math.max(1, useMs))));
}

function useAt(fadesAtMs: number | null, nowMs: number): number {
  return fadesAtMs === null ? 0 : 2 ** ((fadesAtMs - nowMs) / HALF_LIFE_MS);
}
