import { randomBytes } from 'node:crypto';
import type { Place } from '../secrets/secret-box.js';

const SECRET_BYTES = 32;

/** Returns `whsec_` and 32 random bytes in base64url. The whole text, prefix included, is the key of the signature. */
export function mintSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** Returns the place that an endpoint's secrets are sealed for, the previous secret included. */
export function secretOf(endpointId: string): Place {
  return { use: 'webhook secret', id: endpointId };
}

export interface SealedSecrets {
  endpointId: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntilMs: number | null;
}

/** Opens the secrets that sign at `nowMs`, newest first: two during a rotation. */
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

/** Explains a secret of a store that was copied without its key. A rotation gives the endpoint a secret that opens. */
function openOrExplain(open: () => string): string {
  try {
    return open();
  } catch {
    throw new Error('the signing secret was sealed with another key than that of the data directory; rotate it');
  }
}
