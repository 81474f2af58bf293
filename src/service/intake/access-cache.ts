import { type Access, findAccess, recordKeyUse } from '../../store/access.js';
import type { Store } from '../../store/store.js';
import type { Log } from '../log.js';

/** How often the last use of a key is written. */
const USE_INTERVAL_MS = 60_000;
const MAX_ENTRIES = 10_000;

export interface AccessCache {
  /** The key of this hash with its organisation and plan; undefined where it is unknown, revoked or expired. */
  find(keyHash: string): Promise<Access | undefined>;
}

interface Entry {
  access: Access;
  /** On a clock that nobody sets. */
  readAtMs: number;
}

/**
 * Who may call, not asked of the store more than once in `maxAgeMs`: what another process changes is seen within it. A key
 * that is not found is not remembered, so guesses do not fill the memory and a new key works at once.
 */
export function createAccessCache(store: Store, maxAgeMs: number, log: Log, maxEntries = MAX_ENTRIES): AccessCache {
  const entries = new Map<string, Entry>();

  async function read(keyHash: string): Promise<Access | undefined> {
    const known = entries.get(keyHash);
    if (known !== undefined && performance.now() - known.readAtMs < maxAgeMs) return known.access;
    // Before it is asked: what changes while the answer is on its way is not held any longer for it.
    const readAtMs = performance.now();
    const access = await findAccess(store, keyHash);
    entries.delete(keyHash);
    if (access === undefined) return undefined;
    entries.set(keyHash, { access, readAtMs });
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    return access;
  }

  /** The call does not wait for it, and does not fail with it. */
  function noteUse(access: Access, nowMs: number): void {
    if (access.keyLastUsedAtMs !== null && nowMs - access.keyLastUsedAtMs < USE_INTERVAL_MS) return;
    access.keyLastUsedAtMs = nowMs;
    recordKeyUse(store, access.keyId, nowMs, USE_INTERVAL_MS).catch((error: unknown) =>
      log.warn({ keyId: access.keyId, reason: String(error) }, 'the last use of a key could not be written'),
    );
  }

  return {
    find: async (keyHash) => {
      const access = await read(keyHash);
      const nowMs = Date.now();
      if (access === undefined || (access.keyExpiresAtMs !== null && access.keyExpiresAtMs <= nowMs)) return undefined;
      noteUse(access, nowMs);
      return access;
    },
  };
}
