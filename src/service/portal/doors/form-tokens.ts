import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the token of the session's forms, which no other session has and nobody can derive without the cookie. */
export function formTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('portal form').digest('base64url');
}

export function isFormToken(sessionToken: string, given: string | null): boolean {
  const [expected, got] = [Buffer.from(formTokenOf(sessionToken)), Buffer.from(given ?? '')];
  return expected.length === got.length && timingSafeEqual(expected, got);
}
