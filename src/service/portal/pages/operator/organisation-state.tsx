import type { Subscription } from '../../../../contract/subscription.js';
import { Badge, type Tone } from '../../components/badge.js';

const TONES: Record<Subscription, Tone> = {
  active: 'good',
  trialing: 'run',
  expired: 'warn',
  suspended: 'bad',
  canceled: 'wait',
};

/** The state of a subscription. */
export function SubscriptionBadge({ state }: { state: Subscription }) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}
