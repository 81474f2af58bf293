import type { Store } from '../../store/store.js';

/** Interval of looks at a store that tells nobody what another process has written. */
const LOOK_INTERVAL_MS = 1_000;
/** Shortest time between two rings of a process. */
const RING_INTERVAL_MS = 200;
/** Interval at which a process repeats whose changes it wants to hear of, and the time after which others forget it. */
const WATCH_INTERVAL_MS = 10_000;
const WATCHED_FOR_MS = 3 * WATCH_INTERVAL_MS;

/** Hints that something of an organisation has changed, by this process or another. They say nothing more, and may be mistaken. */
export interface Changes {
  /** Passes a change of this process on. It costs nothing while nobody listens. */
  note(organisationId: string): void;
  /** Calls `hear` at each hint. Returns the function that ends it. */
  listen(organisationId: string, hear: () => void): () => void;
}

/**
 * Creates the hints between processes. Those that share a store ring its bell, for organisations that another one listens for; a
 * store of one process is looked at each second while somebody listens, since `ocr admin` writes too.
 */
export function createChanges(store: Pick<Store, 'bell' | 'clock' | 'isShared' | 'readDataVersion'>): Changes {
  const { bell, isShared, clock } = store;
  const listeners = new Map<string, Set<() => void>>();
  const watchedUntilMs = new Map<string, number>();
  const unrung = new Set<string>();
  let ringing: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let dataVersion: number | undefined;

  function hear(organisationId: string): void {
    for (const listener of listeners.get(organisationId) ?? []) listener();
  }

  function hearAll(): void {
    for (const organisationId of listeners.keys()) hear(organisationId);
  }

  function ring(): void {
    if (ringing !== undefined || unrung.size === 0) return;
    for (const organisationId of unrung) bell.ring('change', organisationId);
    unrung.clear();
    ringing = setTimeout(() => {
      ringing = undefined;
      ring();
    }, RING_INTERVAL_MS).unref();
  }

  async function look(): Promise<void> {
    const version = await store.readDataVersion().catch(() => dataVersion);
    const isOther = dataVersion !== undefined && version !== dataVersion;
    dataVersion = version;
    if (isOther) hearAll();
  }

  function watch(): void {
    for (const organisationId of listeners.keys()) bell.ring('watch', organisationId);
  }

  function start(): void {
    looking ??= (isShared ? setInterval(watch, WATCH_INTERVAL_MS) : setInterval(look, LOOK_INTERVAL_MS)).unref();
    if (!isShared) void look();
  }

  function stop(): void {
    clearInterval(looking);
    looking = undefined;
    dataVersion = undefined;
  }

  bell.listen('access', hearAll);
  bell.listen('change', (ids) => {
    for (const id of ids) hear(id);
    // Without ids hints were lost.
    if (ids.length === 0) hearAll();
  });
  bell.listen('watch', (ids) => {
    for (const id of ids) watchedUntilMs.set(id, clock.steadyNow() + WATCHED_FOR_MS);
  });

  return {
    note: (organisationId) => {
      hear(organisationId);
      const untilMs = watchedUntilMs.get(organisationId);
      if (untilMs === undefined) return;
      if (untilMs < clock.steadyNow()) {
        watchedUntilMs.delete(organisationId);
        return;
      }
      unrung.add(organisationId);
      ring();
    },
    listen: (organisationId, listener) => {
      const known = listeners.get(organisationId);
      const own = known ?? new Set();
      own.add(listener);
      if (known === undefined) {
        listeners.set(organisationId, own);
        start();
        bell.ring('watch', organisationId);
      }
      return () => {
        own.delete(listener);
        if (own.size > 0 || listeners.get(organisationId) !== own) return;
        listeners.delete(organisationId);
        if (listeners.size === 0) stop();
      };
    },
  };
}
