import { createHash, randomBytes } from 'node:crypto';

/** Returns a secret of 32 random bytes for URLs and cookies. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a token, lower-case hex: all that the store has of it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
