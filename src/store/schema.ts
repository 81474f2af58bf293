import { first } from './migrations/001-first.js';
import { organisations } from './migrations/002-organisations.js';
import { webhooks } from './migrations/003-webhooks.js';
import { requestLog } from './migrations/004-request-log.js';
import { idempotencyHashes } from './migrations/005-idempotency-hashes.js';
import { deferredJobs } from './migrations/006-deferred-jobs.js';
import { blobs } from './migrations/007-blobs.js';
import { turns } from './migrations/008-turns.js';
import { confidence } from './migrations/009-confidence.js';
import { deletedJobs } from './migrations/010-deleted-jobs.js';
import { support } from './migrations/011-support.js';
import { lanes } from './migrations/012-lanes.js';
import { events } from './migrations/013-events.js';
import { eventRemovals } from './migrations/014-event-removals.js';
import { sharedStore } from './migrations/015-shared-store.js';
import { documentBytes } from './migrations/016-document-bytes.js';
import { fleet } from './migrations/017-fleet.js';
import { deliveriesUnderWay } from './migrations/018-deliveries-under-way.js';
import { requestDays } from './migrations/019-request-days.js';
import { planWeights } from './migrations/020-plan-weights.js';
import { usageDays } from './migrations/021-usage-days.js';
import { endedJobs } from './migrations/022-ended-jobs.js';
import { requestKeys } from './migrations/023-request-keys.js';
import { requestFunctions } from './migrations/024-request-functions.js';
import { refusedRequests } from './migrations/025-refused-requests.js';
import { deadDeliveries } from './migrations/026-dead-deliveries.js';
import { keyMakers } from './migrations/027-key-makers.js';
import { portal } from './migrations/028-portal.js';
import { crashMark } from './migrations/029-crash-mark.js';
import { invitations } from './migrations/030-invitations.js';
import { processes } from './migrations/031-processes.js';
import { memberIdentities } from './migrations/032-member-identities.js';
import type { NewIndex } from './migrations/new-index.js';
import type { Unit } from './unit.js';

type Migration = string | (() => Unit<void>);
interface Migrations {
  sqlite: Migration;
  postgres: Migration | NewIndex;
}

/**
 * Migrations in order, as SQL or as units of work. A released migration never changes: each later change is a new one. An index on
 * a table of before is a migration of its own (new-index.ts). The version before must be able to use the tables of each one:
 * columns are added, and removed only in a version after the last that reads them.
 */
const MIGRATIONS: ReadonlyArray<Migration | Migrations> = [
  first,
  organisations,
  webhooks,
  requestLog,
  idempotencyHashes,
  deferredJobs,
  blobs,
  turns,
  confidence,
  deletedJobs,
  support,
  lanes,
  events,
  eventRemovals,
  sharedStore,
  documentBytes,
  fleet,
  deliveriesUnderWay,
  requestDays,
  planWeights,
  usageDays,
  endedJobs,
  requestKeys,
  requestFunctions,
  refusedRequests,
  deadDeliveries,
  keyMakers,
  portal,
  crashMark,
  invitations,
  processes,
  memberIdentities,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Returns the migration to a version, which is the same for both engines but for a few. */
export function migrationTo<E extends keyof Migrations>(version: number, engine: E): Migration | Migrations[E] {
  const migration = MIGRATIONS[version - 1];
  if (migration === undefined) throw new Error(`There is no migration to ${version}`);
  return typeof migration === 'object' ? migration[engine] : migration;
}

/** Thrown for a store that a newer version of the tool has written. */
export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError';
}
