import type { ApiClient } from '../../api/client.js';
import { EXIT } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';

/** The organisation of a key, as far as the service tells; null for what it does not tell. */
export interface Account {
  organisation: string | null;
  plan: string | null;
  subscription: string | null;
  documents: { used: number; limit: number | null; left: number | null } | null;
  /** True for a support key, which reads and sends nothing; null where the service does not tell. */
  support: boolean | null;
}

export const NO_ACCOUNT: Account = {
  organisation: null,
  plan: null,
  subscription: null,
  documents: null,
  support: null,
};

/**
 * Asks the service about the key's organisation. The catalog is read first: any valid key may do that, also at a service that
 * tells nothing of what is used.
 * @throws OcrError the refusal of the key
 */
export async function readAccount(api: ApiClient): Promise<Account> {
  await api.getCatalog({ isBestEffort: true });
  const body = await api.getUsage().catch((error: unknown) => {
    if (error instanceof OcrError && error.code === 'UNSUPPORTED') return {};
    throw error;
  });
  const { organisation, plan, subscription, documents } = body as Record<string, unknown>;
  const { name } = (organisation ?? {}) as { name?: unknown };
  const { used, limit, left } = (documents ?? {}) as Record<string, unknown>;
  const isSupport = organisation === null;
  const isTold = organisation !== undefined;
  return {
    organisation: textOf(name),
    plan: textOf(plan),
    subscription: textOf(subscription),
    documents: typeof used !== 'number' || isSupport ? null : { used, limit: numberOf(limit), left: numberOf(left) },
    support: isTold ? isSupport : null,
  };
}

/** Returns why the service would refuse the next document; undefined if it would take it, as far as it tells. */
export function findNextRefusal({ subscription, documents }: Account): OcrError | undefined {
  if (subscription !== null && subscription !== 'active' && subscription !== 'trialing') {
    return new OcrError('PAYMENT_REQUIRED', `The subscription is ${subscription}: the service takes no documents`, {
      status: 402,
    });
  }
  if (documents?.left === 0) {
    // The key itself is good, but a script that asks first wants to know before it sends.
    return new OcrError('QUOTA_EXCEEDED', 'All documents of this period are used: the service takes no more', {
      exitCode: EXIT.auth,
      hint: 'When the next period begins: ocr usage',
    });
  }
  return undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
