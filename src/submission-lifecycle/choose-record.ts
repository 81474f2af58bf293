import { serviceFlags } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';
import type { SubmissionRecord } from '../ledger/record.js';
import { findServiceFlags } from '../settings/find-service-flags.js';

/** The service that a command speaks of. */
export interface ServiceInUse {
  /** Undefined where the settings cannot be read. */
  serverId: string | undefined;
  /** A flag says so; else it is the one of the settings, and what was sent elsewhere is meant too. */
  isNamed: boolean;
  /** Where a flag names a profile. */
  profile?: string | undefined;
}

/** Whether a command that names no ids speaks of a record: of each that this machine has, unless a flag says whose. */
export function isMeant(record: SubmissionRecord, { serverId, isNamed, profile }: ServiceInUse): boolean {
  return !isNamed || (record.serverId === serverId && (profile ?? record.profile) === record.profile);
}

/**
 * Which of the records with an id is meant: services do not know each other's ids, and may give equal
 * ones. That of the service in use; else, unless a flag names it, that of the only service that has one.
 * @throws OcrError USAGE where it may be either of several
 */
export function chooseRecord(
  records: Iterable<SubmissionRecord>,
  id: string,
  { serverId, isNamed }: ServiceInUse,
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
