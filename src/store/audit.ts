import { createId } from '../contract/identifiers.js';
import type { Actor, Store } from './store.js';
import { all, run, type Unit } from './unit.js';

/** A change, as the unit that makes it knows it. */
interface Change {
  /** The thing and what is done to it: `key.revoke`. */
  action: string;
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

/** Lists the changes of one organisation, or all of them, newest first. */
export async function listAudit(
  store: Store,
  { organisationId, limit }: { organisationId?: string; limit: number },
): Promise<AuditRow[]> {
  const where = organisationId === undefined ? '' : 'WHERE organisation_id = :organisationId';
  return await store.read(
    all<AuditRow>(
      `SELECT id, organisation_id AS "organisationId", who, role, action, subject_id AS "subjectId", detail,
         created_at AS "createdAtMs" FROM audit ${where} ORDER BY created_at DESC, id DESC LIMIT :limit`,
      { ...(organisationId === undefined ? {} : { organisationId }), limit },
    ),
  );
}
