import type { Store } from '../../store/store.js';

/** As `ocr admin orgs` prints it. Times are RFC 3339 UTC. */
export interface OrganisationView {
  orgId: string;
  name: string;
  plan: string;
  subscription: string;
  createdAt: string;
}

export function listOrganisations(store: Store): OrganisationView[] {
  return store.read
    .all<Omit<OrganisationView, 'createdAt'> & { createdAtMs: number }>(
      `SELECT id AS "orgId", name, plan, subscription, created_at AS "createdAtMs" FROM organisation ORDER BY created_at, id`,
    )
    .map(({ createdAtMs, ...row }) => ({ ...row, createdAt: new Date(createdAtMs).toISOString() }));
}
