import { type ErrorCount, listTopErrors } from '../../../store/request-counts.js';
import { listUsageDays, type UsageDay } from '../../../store/usage-days.js';
import type { OwnScope } from './scope.js';

/** Lists the days of a period that have documents, oldest first; both ends included. */
export async function readDays(
  { store, organisationId }: OwnScope,
  fromDay: string,
  toDay: string,
): Promise<UsageDay[]> {
  return await store.read(listUsageDays(organisationId, fromDay, toDay));
}

/** Lists the most frequent errors since a time. */
export async function readErrors({ store, organisationId }: OwnScope, sinceMs: number): Promise<ErrorCount[]> {
  return await store.read(listTopErrors(organisationId, sinceMs));
}
