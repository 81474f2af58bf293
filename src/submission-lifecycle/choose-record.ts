import { explainAmbiguousId } from '../contract/ambiguous-id.js';
import { serviceFlags } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';
import { refusePrefixAlone } from '../contract/prefix-alone.js';
import type { Ledger } from '../ledger/ledger.js';
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
function chooseRecord(
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

/** Candidates that an error names. */
const MAX_CANDIDATES = 5;

/**
 * Finds the record of a request or a job by its id, or by the beginning of one that no other record of the service has.
 * @throws OcrError USAGE as chooseRecord, and for a prefix alone; AMBIGUOUS_ID with the candidates
 */
export function findSubmission(
  ledger: Ledger,
  name: 'jobId' | 'requestId',
  id: string,
  service: ActiveService,
): SubmissionRecord | undefined {
  const find = (whole: string) =>
    chooseRecord(name === 'jobId' ? ledger.findJobs(whole) : ledger.findRequests(whole), whole, service);
  const record = find(id);
  if (record !== undefined) return record;
  const whole = findWholeId(ledger, name, id, service);
  return whole === undefined ? undefined : find(whole);
}

function findWholeId(
  ledger: Ledger,
  name: 'jobId' | 'requestId',
  id: string,
  { serverId, isNamed }: ActiveService,
): string | undefined {
  const prefix = name === 'jobId' ? 'job_' : 'req_';
  const ids = new Set<string>();
  for (const start of /^[a-z]{3}_/i.test(id) ? [id] : [id, prefix + id])
    for (const record of ledger.findBeginnings(name, start))
      if (!isNamed || record.serverId === serverId) ids.add(record[name] ?? '');
  if (ids.size <= 1) refusePrefixAlone(id);
  if (ids.size > 1) {
    throw new OcrError('AMBIGUOUS_ID', explainAmbiguousId(id, [...ids], MAX_CANDIDATES), {
      hint: 'Give more of the id.',
    });
  }
  return ids.values().next().value;
}
