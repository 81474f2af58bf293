import { createHmac, timingSafeEqual } from 'node:crypto';

/** The session and the organisation that a signed id is for, and its purpose. */
export interface SignedPlace {
  /** The secret of the session. */
  token: string;
  organisationId: string;
  purpose: string;
}

/** Returns an id with a signature that this session alone can be given. */
export function signId(place: SignedPlace, id: string): string {
  return `${id}.${signatureOf(place, id)}`;
}

/** Returns the id; undefined for a text that this session was not given for this purpose. */
export function readSignedId(place: SignedPlace, given: string | null): string | undefined {
  const [id = '', signature = ''] = given?.split('.') ?? [];
  const [expected, got] = [Buffer.from(signatureOf(place, id)), Buffer.from(signature)];
  return expected.length === got.length && timingSafeEqual(expected, got) ? id : undefined;
}

function signatureOf({ token, organisationId, purpose }: SignedPlace, id: string): string {
  return createHmac('sha256', token).update(`portal ${purpose} ${organisationId} ${id}`).digest('base64url');
}
