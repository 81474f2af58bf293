import { createHmac, timingSafeEqual } from 'node:crypto';
import { createId, type IdPrefix } from '../../../contract/identifiers.js';

/** The field of a form that makes something whose secret is shown once. */
export const NONCE_FIELD = 'nonce';

interface Place {
  /** The secret of the session. */
  token: string;
  organisationId: string;
  prefix: IdPrefix;
}

/** Returns a text for one use of a form: the id of what it will make. A second use finds that id taken, in every process. */
export function mintNonce(place: Place, nowMs: number): string {
  const id = createId(place.prefix, nowMs);
  return `${id}.${sign(place, id)}`;
}

/** Returns the id; undefined for a text that this session was not given for this organisation. */
export function readNonce(place: Place, given: string | null): string | undefined {
  const [id = '', signature = ''] = given?.split('.') ?? [];
  const [expected, got] = [Buffer.from(sign(place, id)), Buffer.from(signature)];
  return expected.length === got.length && timingSafeEqual(expected, got) ? id : undefined;
}

function sign({ token, organisationId, prefix }: Place, id: string): string {
  return createHmac('sha256', token).update(`portal nonce ${organisationId} ${prefix} ${id}`).digest('base64url');
}
