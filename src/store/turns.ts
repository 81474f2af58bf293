import { ALL_LANES, LANES, type LaneSet } from './lanes.js';
import { all, exists, one, run, type SqlValues, steadyNow, type Unit } from './unit.js';

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

/** The waiting jobs of an organisation in a lane, both of the row around. */
const waiting = (organisation: string) =>
  `FROM job WHERE status = 'queued' AND organisation_id = ${organisation} AND job.lane = lane.lane`;

/** The place of an organisation's first job. */
const firstPlace = (organisation: string) =>
  `(SELECT min(place) FROM (SELECT (SELECT place ${waiting(organisation)} ORDER BY place, id LIMIT 1) AS place FROM lane) AS heads)`;

/** Documents divided by what the plan of their organisation weighs. */
const loadOf = (documents: string) => `CAST(${documents} AS DOUBLE PRECISION) / weight`;

/**
 * Ranks the organisations that a claim may choose from, by their running documents and recent use. The recursion visits each
 * waiting organisation once, whatever the number of its jobs. Lanes are rows, since a planner takes its time for each table.
 */
const RANKED = `
  WITH RECURSIVE every_lane (lane) AS (VALUES ${Object.values(LANES)
    .map((lane) => `(${lane})`)
    .join(', ')}), lane (lane) AS (
    SELECT lane FROM every_lane WHERE (:lanes & (1 << lane)) <> 0
  ), waiting (organisation_id) AS (
    SELECT min(organisation_id) FROM job WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT min(organisation_id) FROM job WHERE status = 'queued' AND organisation_id > waiting.organisation_id)
    FROM waiting WHERE waiting.organisation_id IS NOT NULL
  ), running (organisation_id, documents) AS (
    SELECT organisation_id, count(*) FROM job WHERE status = 'processing' GROUP BY organisation_id
  ), known (organisation_id, documents, weight, fades_at) AS (
    SELECT waiting.organisation_id, coalesce(running.documents, 0), plan.weight, coalesce(worker_time.fades_at, :newFadesAtMs)
    FROM waiting JOIN organisation ON organisation.id = waiting.organisation_id JOIN plan ON plan.name = organisation.plan
      LEFT JOIN running ON running.organisation_id = waiting.organisation_id
      LEFT JOIN worker_time ON worker_time.organisation_id = waiting.organisation_id
  ), ranked (organisation_id, load, documents, weight, fades_at) AS MATERIALIZED (
    SELECT organisation_id, ${loadOf('documents')}, documents, weight, fades_at FROM known
    WHERE documents <= :maxDocuments AND fades_at <= :maxFadesAtMs
      AND (:lanes = ${ALL_LANES} OR EXISTS (SELECT 1 FROM lane WHERE EXISTS (SELECT 1 ${waiting('known.organisation_id')})))
  )`;

/** Finds out that an organisation waits that may be chosen. */
const IS_ANY_TURN = `${RANKED} SELECT 1 AS found FROM ranked LIMIT 1`;

/**
 * Selects whose turn it is: the organisation with the fewest running documents for the weight of its plan, then with the least recent use, then with the
 * job that comes first.
 */
const NEXT_ORGANISATION = `${RANKED}, best AS (SELECT load, fades_at FROM ranked ORDER BY load, fades_at LIMIT 1)
  SELECT ranked.organisation_id AS "organisationId" FROM ranked
    JOIN best ON best.load = ranked.load AND best.fades_at = ranked.fades_at
  ORDER BY ${firstPlace('ranked.organisation_id')}, ranked.organisation_id LIMIT 1`;

/** Selects the id of an organisation's next job, in the order of their places. */
export const NEXT_JOB_ID = `
  SELECT id FROM (${Object.values(LANES)
    .map(
      (lane) => `SELECT * FROM (SELECT id, place FROM job WHERE (:lanes & ${1 << lane}) <> 0 AND status = 'queued'
        AND organisation_id = :organisationId AND lane = ${lane} ORDER BY place, id LIMIT 1) AS head_${lane}`,
    )
    .join(' UNION ALL ')}) AS heads ORDER BY place, id LIMIT 1`;

/**
 * The first jobs of the chosen organisations in each lane. SQLite has no LATERAL and follows the index for a join up to the last
 * place; PostgreSQL would read every waiting job for that join.
 */
const HEADS = {
  joined: `stretch (organisation_id, documents, weight, fades_at, lane, last_place) AS MATERIALIZED (
    SELECT organisation_id, documents, weight, fades_at, lane, coalesce(
      (SELECT place ${waiting('chosen.organisation_id')} ORDER BY place, id LIMIT 1 OFFSET :breadth), ${Number.MAX_SAFE_INTEGER})
    FROM chosen CROSS JOIN lane
  ), head (organisation_id, documents, weight, fades_at, id, place) AS (
    SELECT stretch.organisation_id, documents, weight, fades_at, job.id, job.place
    FROM stretch JOIN job ON job.status = 'queued' AND job.organisation_id = stretch.organisation_id
      AND job.lane = stretch.lane AND job.place <= stretch.last_place
  )`,
  lateral: `head (organisation_id, documents, weight, fades_at, id, place) AS (
    SELECT chosen.organisation_id, documents, weight, fades_at, first.id, first.place FROM chosen CROSS JOIN lane
      CROSS JOIN LATERAL (SELECT id, place ${waiting('chosen.organisation_id')} ORDER BY place, id LIMIT :breadth) AS first
  )`,
};

/**
 * Picks `:count` jobs, as as many claims one after the other would: an organisation counts one more with each job of it. `last` is
 * the rank beyond which no organisation has a turn; those of this rank, of which there may be many, compare their first
 * jobs. Besides those that are taken, some more are found: what other claims hold is passed over.
 */
export const pickJobs = (heads: keyof typeof HEADS) => `${RANKED}, last (load, fades_at) AS (
    SELECT load, fades_at FROM (SELECT load, fades_at FROM ranked ORDER BY load, fades_at LIMIT :breadth) AS firsts
    ORDER BY load DESC, fades_at DESC LIMIT 1
  ), chosen (organisation_id, documents, weight, fades_at) AS MATERIALIZED (
    SELECT ranked.organisation_id, ranked.documents, ranked.weight, ranked.fades_at FROM ranked CROSS JOIN last
    WHERE ranked.load < last.load OR (ranked.load = last.load AND ranked.fades_at <= last.fades_at)
    ORDER BY CASE WHEN ranked.load = last.load AND ranked.fades_at = last.fades_at
      THEN ${firstPlace('ranked.organisation_id')} ELSE ${Number.MIN_SAFE_INTEGER} END, ranked.organisation_id
    LIMIT :breadth
  ), ${HEADS[heads]}, candidate (id, turn, fades_at, place) AS MATERIALIZED (
    SELECT id, ${loadOf('(documents + row_number() OVER (PARTITION BY organisation_id ORDER BY place, id) - 1)')} AS turn, fades_at, place
    FROM head ORDER BY turn, fades_at, place, id LIMIT :candidates
  ), picked (id) AS MATERIALIZED (
    SELECT job.id FROM candidate JOIN job ON job.id = candidate.id WHERE job.status = 'queued'
    ORDER BY candidate.turn, candidate.fades_at, candidate.place, job.id LIMIT :count FOR UPDATE OF job SKIP LOCKED
  )`;

/** Returns the values of the statements above that tell which organisations a claim may choose from. */
export function* describeOpening({ choice, lanes }: Opening): Unit<SqlValues> {
  const nowMs = yield* steadyNow();
  const isLight = choice === 'light';
  return {
    lanes,
    maxDocuments: isLight ? 0 : Number.MAX_SAFE_INTEGER,
    // A new organisation may send anything. One whose documents were quick goes before it.
    newFadesAtMs: fadesAt(MIN_LIGHT_USE_MS, nowMs),
    maxFadesAtMs: isLight ? fadesAt(yield* findLightUse(nowMs), nowMs) : Number.MAX_SAFE_INTEGER,
  };
}

/**
 * Finds out that an organisation waits of which nothing runs, or that several wait: for one that waits alone, as most do, this
 * takes a fifth of the time of the ranking.
 */
const MAY_BE_LIGHT = `
  SELECT 1 AS found FROM (SELECT (SELECT min(organisation_id) FROM job WHERE status = 'queued') AS first,
    (SELECT max(organisation_id) FROM job WHERE status = 'queued') AS last) AS waiting
  WHERE first <> last OR (first = last
    AND NOT EXISTS (SELECT 1 FROM job WHERE status = 'processing' AND organisation_id = first))`;

/** True when a job waits that may be chosen. */
export function* isAnyTurn(opening: Opening): Unit<boolean> {
  if (opening.choice === 'light' && !(yield* exists(MAY_BE_LIGHT))) return false;
  return yield* exists(IS_ANY_TURN, yield* describeOpening(opening));
}

/** Returns the organisation whose turn it is; undefined when none waits that may be chosen. */
export function* findNextOrganisation(opening: SqlValues): Unit<string | undefined> {
  return (yield* one<{ organisationId: string }>(NEXT_ORGANISATION, opening))?.organisationId;
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
