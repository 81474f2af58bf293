import { serviceFlags } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';
import type { SubmissionRecord } from '../ledger/record.js';
import { findServiceFlags } from '../settings/find-service-flags.js';

/** The service that commands without an explicit id act on. */
export interface ActiveService {
  /** Undefined where the settings cannot be read. */
  serverId: string | undefined;
  /** True when a flag names it; otherwise it comes from the settings, and records of other services are selected too. */
  isNamed: boolean;
  /** The profile that a flag names. */
  profile?: string | undefined;
}

/** True when a command without ids acts on the record: every record of this machine, unless a flag names a service. */
export function isSelected(record: SubmissionRecord, { serverId, isNamed, profile }: ActiveService): boolean {
  return !isNamed || (record.serverId === serverId && (profile ?? record.profile) === record.profile);
}

/**
 * Chooses among records with the same id: services do not know each other's ids and may give equal ones. The active
 * service comes first; then, unless a flag names a service, the only other service that has the id.
 * @throws OcrError USAGE when several other services have it
 */
export function chooseRecord(
  records: Iterable<SubmissionRecord>,
  id: string,
  { serverId, isNamed }: ActiveService,
): SubmissionRecord | undefined {
  const elsewhere = new Map<string, SubmissionRecord>();
  for (const record of records) {
    if (record.serverId === serverId) return record;
    if (!isNamed && !elsewhere.has(record.serverId)) elsewhere.set(record.serverId, record);
  }
  if (elsewhere.size <= 1) return elsewhere.values().next().value;
  const flags = [...elsewhere.values()]
    .map((record) => serviceFlags(findServiceFlags(record, undefined)).trim())
    .sort();
  throw new OcrError('USAGE', `Several services gave the id ${id}: ${[...elsewhere.keys()].join(', ')}`, {
    hint: `Say which is meant: ${flags.join(' or ')}`,
  });
}
