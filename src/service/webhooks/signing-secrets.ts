import { randomBytes } from 'node:crypto';
import type { Place } from '../secrets/secret-box.js';

const SECRET_BYTES = 32;

/** `whsec_` and 32 random bytes in base64url; keyed with as a whole, its prefix too. */
export function mintSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** Where an endpoint's secrets are sealed for, the one before too. */
export function secretOf(endpointId: string): Place {
  return { use: 'webhook secret', id: endpointId };
}

export interface SealedSecrets {
  endpointId: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntilMs: number | null;
}

/** The secrets that sign at `nowMs`, the newest first: two while one is being replaced. */
export function openSigningSecrets(
  sealed: SealedSecrets,
  open: (text: string, place: Place) => string,
  nowMs: number,
): string[] {
  const { secret, previousSecret, previousSecretUntilMs } = sealed;
  const isStillUsed = previousSecret !== null && (previousSecretUntilMs ?? 0) > nowMs;
  return (isStillUsed ? [secret, previousSecret] : [secret]).map((text) =>
    openOrExplain(() => open(text, secretOf(sealed.endpointId))),
  );
}

/** Of a store that was copied without its key: rotating gives the endpoint a secret that can be opened. */
function openOrExplain(open: () => string): string {
  try {
    return open();
  } catch {
    throw new Error('the signing secret was sealed with another key than that of the data directory; rotate it');
  }
}
