import {
  type Access,
  type CallingKey,
  findAccess,
  findSupportAccess,
  recordKeyUse,
  type SupportAccess,
} from '../../store/access.js';
import { findApiKeyByHash } from '../../store/api-keys.js';
import type { Store } from '../../store/store.js';
import type { Log } from '../log.js';

/** Interval between two records of a key's last use. */
const USE_INTERVAL_MS = 60_000;
const MAX_ENTRIES = 10_000;
/**
 * Calls with one expired or revoked key that are attributed to it in a window. Whoever has such a key may call without end, and
 * lines without an organisation are bounded.
 */
const MAX_ATTRIBUTED = 60;
const ATTRIBUTION_WINDOW_MS = 60_000;

/** Access of a key: an organisation's, or a support key's, which has no `organisationId`. */
export type KeyAccess = Access | SupportAccess;

export interface AccessCache {
  /** Finds the key of this hash, with its organisation and plan; undefined for an unknown, revoked or expired key. */
  find(keyHash: string): Promise<KeyAccess | undefined>;
  /** Finds whose key this was, for the log; undefined for an unknown key, and for one that is called with too often. */
  findRefused(keyHash: string): Promise<CallingKey | undefined>;
  /** Forgets what was read, so that changes by other processes take effect at once. */
  clear(): void;
}

interface Entry {
  access: KeyAccess;
  /** Monotonic milliseconds: `performance.now()`. */
  readAtMs: number;
}

/**
 * Caches the access of each key for `maxAgeMs`, within which changes by other processes take effect. Unknown keys are not
 * cached, so that guesses do not fill the memory and a new key works at once.
 */
export function createAccessCache(store: Store, maxAgeMs: number, log: Log, maxEntries = MAX_ENTRIES): AccessCache {
  const entries = new Map<string, Entry>();
  /** Attributed calls of this window by hash. */
  const attributed = new Map<string, number>();
  let windowEndsAtMs = 0;

  async function read(keyHash: string): Promise<KeyAccess | undefined> {
    const known = entries.get(keyHash);
    if (known !== undefined && performance.now() - known.readAtMs < maxAgeMs) return known.access;
    // The time is taken before the read, so that a change during the read is not hidden longer.
    const readAtMs = performance.now();
    const access = (await findAccess(store, keyHash)) ?? (await findSupportAccess(store, keyHash));
    entries.delete(keyHash);
    if (access === undefined) return undefined;
    entries.set(keyHash, { access, readAtMs });
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    return access;
  }

  /** Records the use without delaying or failing the call. */
  function noteUse(access: KeyAccess, nowMs: number): void {
    if (access.keyLastUsedAtMs !== null && nowMs - access.keyLastUsedAtMs < USE_INTERVAL_MS) return;
    access.keyLastUsedAtMs = nowMs;
    recordKeyUse(store, access.keyId, nowMs, USE_INTERVAL_MS).catch((error: unknown) =>
      log.warn({ keyId: access.keyId, reason: String(error) }, 'the last use of a key could not be written'),
    );
  }

  return {
    find: async (keyHash) => {
      const access = await read(keyHash);
      const nowMs = store.clock.now();
      if (access === undefined || (access.keyExpiresAtMs !== null && access.keyExpiresAtMs <= nowMs)) return undefined;
      noteUse(access, nowMs);
      return access;
    },
    findRefused: async (keyHash) => {
      const nowMs = performance.now();
      if (nowMs >= windowEndsAtMs || attributed.size > maxEntries) {
        attributed.clear();
        windowEndsAtMs = nowMs + ATTRIBUTION_WINDOW_MS;
      }
      const count = attributed.get(keyHash) ?? 0;
      if (count >= MAX_ATTRIBUTED) return undefined;
      const key = await findApiKeyByHash(store, keyHash);
      if (key === undefined) return undefined;
      attributed.set(keyHash, (attributed.get(keyHash) ?? 0) + 1);
      return { organisationId: key.organisationId ?? undefined, keyId: key.id, keyLastFour: key.lastFour };
    },
    clear: () => entries.clear(),
  };
}

/** True when the key may read what belongs to an organisation, or to nobody (null). */
export function mayRead(caller: KeyAccess, organisationId: string | null): boolean {
  return caller.organisationId === undefined || caller.organisationId === organisationId;
}
