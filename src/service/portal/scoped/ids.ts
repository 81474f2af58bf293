import { explainAmbiguousId } from '../../../contract/ambiguous-id.js';
import { canonicalId, shortId, timeOfId } from '../../../contract/identifiers.js';
import { readJobOf } from '../../../store/job-pages.js';
import { findJob } from '../../../store/jobs.js';
import { findRequest } from '../../../store/requests.js';
import { findShortened, MAX_CANDIDATES, type ShortenedKind } from '../../../store/short-ids.js';
import type { Store } from '../../../store/store.js';
import { findOneRequest } from './requests.js';
import type { Scope } from './scope.js';

/** The whole id that a typed one stands for, or why there is none. */
export type FoundId =
  | { kind: 'found'; id: string }
  | { kind: 'not-an-id' }
  | { kind: 'unknown' }
  | { kind: 'ambiguous'; explanation: string };

/** Finds a whole id among those that somebody sees. */
const WHOLE: Record<ShortenedKind, (scope: Scope, id: string) => Promise<object | undefined>> = {
  req: findOneRequest,
  job: async ({ store, organisationId }, id) =>
    organisationId === undefined ? await findJob(store, id) : await store.read(readJobOf(organisationId, id)),
};

/** Finds the id of a call or a job by itself or by its beginning, among those that somebody sees. */
export async function findId(scope: Scope, kind: ShortenedKind, typed: string): Promise<FoundId> {
  const { store, organisationId } = scope;
  const start = shortId(typed, kind);
  if (start === undefined) {
    const id = canonicalId(typed);
    if (timeOfId(id) === undefined || !id.startsWith(`${kind}_`)) return { kind: 'not-an-id' };
    return (await WHOLE[kind](scope, id)) === undefined ? { kind: 'unknown' } : { kind: 'found', id };
  }
  const candidates = await findShortened(store, kind, start, organisationId);
  if (candidates.length > 1)
    return { kind: 'ambiguous', explanation: explainAmbiguousId(start, candidates, MAX_CANDIDATES) };
  const [id] = candidates;
  return id === undefined ? { kind: 'unknown' } : { kind: 'found', id };
}

/** Finds whose call it is. Undefined for an unknown one and for one of no organisation, such as a call with a wrong key. */
export async function findOwnerOfRequest(store: Store, requestId: string): Promise<string | undefined> {
  return (await findRequest(store, requestId))?.organisationId ?? undefined;
}

/** Finds whose job it is; undefined for an unknown one. */
export async function findOwnerOfJob(store: Store, jobId: string): Promise<string | undefined> {
  return (await findJob(store, jobId))?.organisationId;
}
