import type { ApiKey } from '../../../../store/api-keys.js';
import type { BoundedCount } from '../../../../store/bounded-count.js';
import { stateOfKey } from '../../../administration/keys.js';
import { Badge } from '../../components/badge.js';
import { WithBreaks } from '../../components/with-breaks.js';

const TONES = { active: 'good', expired: 'wait', revoked: 'bad' } as const;

/** A key with its calls of a day. */
export interface KeyLine extends ApiKey {
  calls: BoundedCount;
}

/** The beginning and end of a key, all of it that is known. */
export function KeyEnds({ prefix, lastFour }: ApiKey) {
  return <code>{`${prefix}…${lastFour}`}</code>;
}

/** The state of a key. */
export function KeyState({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  const state = stateOfKey(apiKey, nowMs);
  return <Badge tone={TONES[state]}>{state}</Badge>;
}

/** The functions that a key may call. */
export function KeyFunctions({ functions }: ApiKey) {
  if (functions === undefined) return <span>all of the plan</span>;
  return (
    <span>{functions.map((name, index) => [index === 0 ? '' : ', ', <WithBreaks key={name} text={name} />])}</span>
  );
}

/** Returns the name of a key, or a word for one without. */
export function nameOf({ name }: ApiKey): string {
  return name === '' ? 'unnamed' : name;
}
