/** States of a subscription; contract, section Authentication: the last three are refused with PAYMENT_REQUIRED. */
export const SUBSCRIPTIONS = ['active', 'trialing', 'expired', 'canceled', 'suspended'] as const;

export type Subscription = (typeof SUBSCRIPTIONS)[number];
