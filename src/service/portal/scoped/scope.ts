import type { Store } from '../../../store/store.js';

/**
 * The part of the store that somebody sees. Everything that pages read and change goes through it: every statement says
 * `organisation_id = :organisationId`, and another's id is not found.
 */
export interface Scope {
  store: Store;
  /** Undefined for support and operators who have chosen none: they look ids up among all. */
  organisationId: string | undefined;
  /** False for support, who sees no names of files and no results. */
  seesFiles: boolean;
}

/** The part of the store of one organisation. */
export interface OwnScope extends Scope {
  organisationId: string;
}
