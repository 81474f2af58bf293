import { createId, type IdPrefix } from '../../../contract/identifiers.js';
import { readSignedId, type SignedPlace, signId } from './signed-ids.js';

/** The field of a form that is to be used once. */
export const NONCE_FIELD = 'nonce';

interface Place extends Omit<SignedPlace, 'purpose'> {
  prefix: IdPrefix;
}

/** Returns a text for one use of a form: the id of what it will make. A second use finds that id taken, in every process. */
export function mintNonce(place: Place, nowMs: number): string {
  return signId(toSigned(place), createId(place.prefix, nowMs));
}

/** Returns the id; undefined for a text that this session was not given for this organisation. */
export function readNonce(place: Place, given: string | null): string | undefined {
  return readSignedId(toSigned(place), given);
}

function toSigned({ token, organisationId, prefix }: Place): SignedPlace {
  return { token, organisationId, purpose: `nonce ${prefix}` };
}
