import { createId } from '../contract/identifiers.js';
import { listConditions } from './filter.js';
import { type Page, type PageBounds, type PagedTable, readPage } from './page.js';
import type { Actor, Store } from './store.js';
import { all, run, type Unit } from './unit.js';

/** Actions that the audit log has: the thing and what is done to it. */
export const AUDIT_ACTIONS = [
  'organisation.create',
  'organisation.update',
  'organisation.delete',
  'plan.create',
  'plan.update',
  'plan.delete',
  'member.role',
  'member.remove',
  'member.connect',
  'member.disconnect',
  'session.end',
  'session.end-others',
  'portal.link',
  'portal.link-revoke',
  'portal.enter',
  'key.create',
  'key.roll',
  'key.revoke',
  'webhook.add',
  'webhook.rotate',
  'webhook.remove',
  'webhook.test',
  'webhook.resend',
  'webhook.resend-dead',
  'job.result',
  'function.try',
  'job.release',
  'job.cancel',
  'job.delete',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A change, as the unit that makes it knows it. */
interface Change {
  action: AuditAction;
  /** Null for a change that concerns no organisation: plans, links of operators. */
  organisationId: string | null;
  subjectId?: string;
  /** Never a secret. */
  detail?: object;
}

/** A row of the audit log. */
export interface AuditRow {
  id: string;
  organisationId: string | null;
  who: string;
  role: Actor['role'];
  action: string;
  subjectId: string | null;
  /** JSON. */
  detail: string | null;
  createdAtMs: number;
}

/** Returns a handle of the store whose changes are those of `actor`. */
export function actingAs(store: Store, actor: Actor): Store {
  return { ...store, actor };
}

/** Writes who makes this change, in its transaction. The service's own changes leave no row. */
export function* audit(
  { actor, clock }: Pick<Store, 'actor' | 'clock'>,
  { action, organisationId, subjectId, detail }: Change,
): Unit<void> {
  if (actor === undefined) return;
  const nowMs = clock.now();
  yield* run(
    `INSERT INTO audit (id, organisation_id, who, role, action, subject_id, detail, created_at)
     VALUES (:id, :organisationId, :who, :role, :action, :subjectId, :detail, :nowMs)`,
    {
      id: createId('aud', nowMs),
      organisationId,
      ...actor,
      action,
      subjectId: subjectId ?? null,
      detail: detail === undefined ? null : JSON.stringify(detail),
      nowMs,
    },
  );
}

const COLUMNS = `id, organisation_id AS "organisationId", who, role, action, subject_id AS "subjectId", detail,
  created_at AS "createdAtMs"`;

/** Lists the changes of one organisation, or all of them, newest first. */
export async function listAudit(
  store: Store,
  { organisationId, limit }: { organisationId?: string; limit: number },
): Promise<AuditRow[]> {
  const where = organisationId === undefined ? '' : 'WHERE organisation_id = :organisationId';
  return await store.read(
    all<AuditRow>(`SELECT ${COLUMNS} FROM audit ${where} ORDER BY created_at DESC, id DESC LIMIT :limit`, {
      ...(organisationId === undefined ? {} : { organisationId }),
      limit,
    }),
  );
}

const PAGED: PagedTable = {
  name: 'audit',
  prefix: 'aud',
  select: (from) => `SELECT ${COLUMNS} FROM ${from}`,
  id: 'id',
};

export interface AuditPageFilter extends PageBounds {
  action?: string | undefined;
  who?: string | undefined;
  subjectId?: string | undefined;
}

/** Reads a page of the changes of one organisation, or of those that concern none (null); newest first. */
export function* readAuditPage(organisationId: string | null, filter: AuditPageFilter): Unit<Page<AuditRow>> {
  const { action, who, subjectId } = filter;
  const { conditions: others, values } = listConditions(
    { action, who, subjectId },
    { action: 'action = :action', who: 'who = :who', subjectId: 'subject_id = :subjectId' },
  );
  return yield* readPage<AuditRow>(PAGED, organisationId, filter, { indexed: [], others, values });
}
