/** Bound on remembered files and senders; the oldest are forgotten first. */
const MAX_ENTRIES = 10_000;
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

/** Remembers in memory: a restart forgets, and the first death of a file costs seconds. `now` is monotonic milliseconds. */
export function createCountDeaths(now = () => performance.now(), maxEntries = MAX_ENTRIES): CountDeaths {
  const files = new Map<string, { message: string; atMs: number }>();
  const senders = new Map<string, { atMs: number }>();
  return {
    note: ({ sha256, organisationId, message }) => {
      const atMs = now();
      remember(files, sha256, { message, atMs }, maxEntries);
      remember(senders, organisationId, { atMs }, maxEntries);
    },
    findMessage: (sha256) => findFresh(files, sha256, now() - FILE_TTL_MS)?.message,
    isSlowed: (organisationId) => findFresh(senders, organisationId, now() - SENDER_TTL_MS) !== undefined,
  };
}

/** Adds the value as the newest entry. */
function remember<T>(entries: Map<string, T>, key: string, value: T, maxEntries: number): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= maxEntries) return;
    entries.delete(oldest);
  }
}

function findFresh<T extends { atMs: number }>(entries: Map<string, T>, key: string, sinceMs: number): T | undefined {
  const entry = entries.get(key);
  if (entry !== undefined && entry.atMs > sinceMs) return entry;
  entries.delete(key);
  return undefined;
}
