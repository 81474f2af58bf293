import type { Subscription } from '../contract/subscription.js';
import type { BoundedCount } from './bounded-count.js';
import type { Page } from './page.js';
import { all, type SqlValues, type Unit } from './unit.js';

/** An organisation with what it uses and has in the queue. */
export interface OrganisationLine {
  id: string;
  name: string;
  plan: string;
  /** The present state: a trial past its end is `expired`. */
  state: Subscription;
  createdAtMs: number;
  /** Documents of its present period, and their limit; null for none. */
  used: number;
  limit: number | null;
  running: BoundedCount;
  waiting: BoundedCount;
}

export interface OrganisationPageFilter {
  before?: string | undefined;
  /** A part of the name, in any case of ASCII letters. */
  word?: string | undefined;
  plan?: string | undefined;
  state?: Subscription | undefined;
}

type Row = Omit<OrganisationLine, 'running' | 'waiting'> & { running: number; waiting: number };

/** Jobs of one organisation that are counted, in each state: a page counts those of many. */
const MAX_COUNTED_JOBS = 1_000;
/** Organisations of one page. */
const PAGE_ROWS = 50;

const STATE = `CASE WHEN subscription = 'trialing' AND trial_ends_at <= :nowMs THEN 'expired' ELSE subscription END`;
const PERIOD = `CASE WHEN subscription = 'trialing' AND trial_started_at IS NOT NULL AND trial_ends_at IS NOT NULL
  THEN 'trial:' || trial_started_at ELSE :month END`;
const countOf = (status: string) => `(SELECT count(*) FROM (SELECT 1 AS found FROM job
  WHERE job.organisation_id = organisation.id AND job.status = '${status}' LIMIT :maxCounted) AS counted)`;

/** Reads a page of all organisations, newest first: their ids sort by time. `month` is the period without a trial. */
export function* readOrganisationPage(
  { before, word, plan, state }: OrganisationPageFilter,
  { nowMs, month }: { nowMs: number; month: string },
): Unit<Page<OrganisationLine>> {
  const conditions: Array<readonly [value: string | undefined, condition: string, values: SqlValues]> = [
    [before, 'id < :before', { before: before ?? '' }],
    [word, `lower(name) LIKE :word ESCAPE '!'`, { word: `%${(word ?? '').toLowerCase().replace(/[!%_]/g, '!$&')}%` }],
    [plan, 'plan = :plan', { plan: plan ?? '' }],
    [state, `${STATE} = :state`, { state: state ?? '' }],
  ];
  const given = conditions.filter(([value]) => value !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([, condition]) => condition).join(' AND ')}`;
  const values = Object.assign({}, ...given.map(([, , each]) => each)) as SqlValues;
  const rows = yield* all<Row>(
    `SELECT organisation.id AS id, organisation.name AS name, organisation.plan AS plan, ${STATE} AS state,
       created_at AS "createdAtMs", coalesce(usage.documents, 0) AS used,
       nullif(coalesce(own_documents_per_period, plan.documents_per_period), -1) AS "limit",
       ${countOf('processing')} AS running, ${countOf('queued')} AS waiting
     FROM (SELECT * FROM organisation ${where} ORDER BY id DESC LIMIT :limit) AS organisation
       JOIN plan ON plan.name = organisation.plan
       LEFT JOIN usage ON usage.organisation_id = organisation.id AND usage.period = ${PERIOD}
     ORDER BY organisation.id DESC`,
    { ...values, nowMs, month, maxCounted: MAX_COUNTED_JOBS, limit: PAGE_ROWS + 1 },
  );
  const shown = rows.slice(0, PAGE_ROWS).map(({ running, waiting, ...row }) => ({
    ...row,
    running: bound(running),
    waiting: bound(waiting),
  }));
  return { rows: shown, olderThan: rows.length > PAGE_ROWS ? shown.at(-1)?.id : undefined };
}

function bound(n: number): BoundedCount {
  return { n, isAtLeast: n >= MAX_COUNTED_JOBS };
}
