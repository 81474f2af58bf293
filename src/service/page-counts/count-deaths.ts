import { RecentEntries } from '../recent-entries.js';

/** Time that a file is refused without another count. An upgrade or a quieter machine may count it later. */
const FILE_TTL_MS = 3_600_000;
/** Time that a sender is slowed after its last death. */
const SENDER_TTL_MS = 600_000;

/** Page counts that ended their process for good, by file and by sender. */
export interface CountDeaths {
  note(death: { sha256: string; organisationId: string; message: string }): void;
  /** Returns the message of a file's death. */
  findMessage(sha256: string): string | undefined;
  /** True when a count of the organisation died lately. */
  isSlowed(organisationId: string): boolean;
}

/** Remembers in memory: a restart forgets, and the first death of a file costs seconds. */
export function createCountDeaths(now?: () => number, maxEntries?: number): CountDeaths {
  const files = new RecentEntries<string>({ ttlMs: FILE_TTL_MS, now, maxEntries });
  const senders = new RecentEntries<true>({ ttlMs: SENDER_TTL_MS, now, maxEntries });
  return {
    note: ({ sha256, organisationId, message }) => {
      files.add(sha256, message);
      senders.add(organisationId, true);
    },
    findMessage: (sha256) => files.find(sha256),
    isSlowed: (organisationId) => senders.find(organisationId) === true,
  };
}
