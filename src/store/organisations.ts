import type { Subscription } from '../contract/subscription.js';
import type { Store } from './store.js';

/** A stored organisation. Times are Unix milliseconds. */
export interface Organisation {
  id: string;
  name: string;
  plan: string;
  subscription: Subscription;
  trialStartedAtMs: number | null;
  trialEndsAtMs: number | null;
  isLocal: boolean;
  createdAtMs: number;
}

type Row = Omit<Organisation, 'isLocal'> & { local: number };

const SELECT = `SELECT id, name, plan, subscription, trial_started_at AS "trialStartedAtMs", trial_ends_at AS "trialEndsAtMs",
  is_local AS local, created_at AS "createdAtMs" FROM organisation`;

/** Lists organisations, oldest first. */
export async function listOrganisations(store: Store): Promise<Organisation[]> {
  return store.read.all<Row>(`${SELECT} ORDER BY created_at, id`).map(read);
}

export async function findOrganisation(store: Store, id: string): Promise<Organisation | undefined> {
  const row = store.read.get<Row>(`${SELECT} WHERE id = :id`, { id });
  return row && read(row);
}

export interface OrganisationChange {
  plan?: string | undefined;
  subscription?: Subscription | undefined;
  /** Trial that begins when the subscription becomes `trialing` and no earlier trial still runs. */
  newTrial: { startedAtMs: number; endsAtMs: number };
}

/** Changes an organisation in one transaction; undefined when no organisation has this id. */
export async function updateOrganisation(
  store: Store,
  id: string,
  { plan, subscription, newTrial }: OrganisationChange,
): Promise<Organisation | undefined> {
  return await store.write((db) => {
    const row = db.get<Row>(`${SELECT} WHERE id = :id`, { id });
    if (row === undefined) return undefined;
    const changed = { ...read(row), ...(plan === undefined ? {} : { plan }) };
    if (subscription !== undefined) changed.subscription = subscription;
    if (subscription === 'trialing' && (changed.trialEndsAtMs ?? 0) <= newTrial.startedAtMs)
      Object.assign(changed, { trialStartedAtMs: newTrial.startedAtMs, trialEndsAtMs: newTrial.endsAtMs });
    db.run(
      `UPDATE organisation SET plan = :plan, subscription = :subscription, trial_started_at = :trialStartedAtMs,
         trial_ends_at = :trialEndsAtMs WHERE id = :id`,
      {
        id,
        plan: changed.plan,
        subscription: changed.subscription,
        trialStartedAtMs: changed.trialStartedAtMs,
        trialEndsAtMs: changed.trialEndsAtMs,
      },
    );
    return changed;
  });
}

function read({ local, ...row }: Row): Organisation {
  return { ...row, isLocal: local === 1 };
}
