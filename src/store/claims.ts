import { randomBytes } from 'node:crypto';
import { PAGES } from './job-events.js';
import { ALL_LANES } from './lanes.js';
import type { ClaimedJob } from './queue.js';
import { describeOpening, findNextOrganisation, isAnyTurn, NEXT_JOB_ID, type Opening, pickJobs } from './turns.js';
import { all, exists, now, type SqlValues, steadyNow, type Unit } from './unit.js';

const documentFact = (column: string) => `(SELECT ${column} FROM document WHERE document.id = job.document_id)`;

const claimThose = (condition: string) => `
  UPDATE job SET status = 'processing', attempts = attempts + 1, token = :token, lease_until = :leaseUntilMs,
    started_at = coalesce(started_at, :nowMs)
  WHERE ${condition}
  RETURNING id, token, organisation_id AS "organisationId", request_id AS "requestId", document_id AS "documentId", function,
    args, cache_key AS "cacheKey", engine, lane, attempts, coalesce(pages_done, 0) AS "pagesDone",
    ${documentFact('mime_type')} AS "mimeType", ${documentFact('sha256')} AS "sha256",
    ${documentFact('size_bytes')} AS "sizeBytes", ${documentFact(PAGES)} AS "documentPageCount"`;

const CLAIM_PICKED = claimThose('id IN (SELECT id FROM picked)');
const CLAIM_SHARED = `${pickJobs('lateral')} ${CLAIM_PICKED}`;
const CLAIM_ALONE = `${pickJobs('joined')} ${CLAIM_PICKED}`;
const CLAIM_NEXT = claimThose(`id = (${NEXT_JOB_ID})`);

/** Organisations, and jobs of each, that a claim looks at beyond those that it needs. */
const SPARE = 4;
/** A second look, for when other claims hold all that the first one found. */
const WIDE_LOOK = { breadth: 200, candidates: 4_000 };

/** True when a claim may find a job. */
export function* mayClaim(opening: Opening): Unit<boolean> {
  // A worker's slot is claimed often, others only while all workers are taken.
  if (opening.choice === 'light' || opening.lanes !== ALL_LANES) return yield* isAnyTurn(opening);
  return yield* exists(`SELECT 1 AS found FROM job WHERE status = 'queued' LIMIT 1`);
}

/** Claims up to `count` jobs in one statement. Simultaneous claims of a shared store pass over what the others hold. */
export function* claim(leaseMs: number, opening: Opening, count: number, isShared: boolean): Unit<ClaimedJob[]> {
  if (count === 1 && !isShared) return yield* claimNext(leaseMs, opening);
  const values = { ...(yield* describeOpening(opening)), ...(yield* describeClaim(leaseMs)), count };
  for (const look of [{ breadth: count + SPARE, candidates: count * (1 + SPARE) }, WIDE_LOOK]) {
    const jobs = yield* all<ClaimedJob>(isShared ? CLAIM_SHARED : CLAIM_ALONE, { ...values, ...look });
    if (jobs.length > 0) return jobs;
  }
  return [];
}

/** Claims one job where nobody else claims at the same time: a small part of the work. */
function* claimNext(leaseMs: number, opening: Opening): Unit<ClaimedJob[]> {
  const organisationId = yield* findNextOrganisation(yield* describeOpening(opening));
  if (organisationId === undefined) return [];
  const values = { ...(yield* describeClaim(leaseMs)), organisationId, lanes: opening.lanes };
  return yield* all<ClaimedJob>(CLAIM_NEXT, values);
}

/** Jobs that are claimed together share a token: it is looked for beside the id of its job. */
function* describeClaim(leaseMs: number): Unit<SqlValues> {
  return {
    token: randomBytes(12).toString('hex'),
    leaseUntilMs: (yield* steadyNow()) + leaseMs,
    nowMs: yield* now(),
  };
}
