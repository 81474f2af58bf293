/**
 * Subjects of hints. `job`: one waits. `ended`: jobs have ended, by their ids. `access`: a key, organisation or plan has changed.
 * `webhook`: a delivery is due. `watch`: somebody looks at pages of these organisations. `change`: something of these organisations,
 * at whose pages somebody looks, has changed.
 */
export type Topic = 'job' | 'ended' | 'access' | 'webhook' | 'watch' | 'change';

/**
 * Tells the other processes of a store that something has happened, so that they need not wait for their next look. Any hint may
 * be lost: whoever listens looks now and then all the same.
 */
export interface Bell {
  /** Rings soon, once for many calls; the ids say what for. */
  ring(topic: Topic, id?: string): void;
  /** Calls `hear` for each ring, of this process too. Without ids anything may have happened: hints were lost. */
  listen(topic: Topic, hear: (ids: readonly string[]) => void): void;
}

/** The bell of a store that one process holds. It hears nobody; `ocr admin` is noticed by the next look. */
export const SILENT_BELL: Bell = { ring: () => {}, listen: () => {} };
