import type { Store } from './store.js';
import { all, run, type Unit } from './unit.js';

/** A process of a service. Times are Unix milliseconds. */
export interface ProcessRow {
  /** Random id of its start. */
  id: string;
  /** `all`, `api` or `worker`. */
  role: string;
  version: string;
  host: string;
  pid: number;
  /** Documents that it reads at once, and those that it reads now. */
  workers: number;
  running: number;
  startedAtMs: number;
  seenAtMs: number;
}

/** A process that was killed is remembered for this time after its last sign. */
const SILENT_TTL_MS = 86_400_000;
/** Processes that are listed; none has as many. */
const MAX_LISTED = 500;

/** Writes a sign of life, and forgets processes that were killed long ago. A power cut may lose it. */
export async function writeProcess(store: Store, row: ProcessRow): Promise<void> {
  const write = function* (): Unit<void> {
    yield* run(
      `INSERT INTO process (id, role, version, host, pid, workers, running, started_at, seen_at)
       VALUES (:id, :role, :version, :host, :pid, :workers, :running, :startedAtMs, :seenAtMs)
       ON CONFLICT (id) DO UPDATE SET running = excluded.running, seen_at = excluded.seen_at`,
      { ...row },
    );
    yield* run('DELETE FROM process WHERE seen_at < :untilMs', { untilMs: row.seenAtMs - SILENT_TTL_MS });
  };
  await store.write(write, { isSynced: false });
}

/** Forgets a process that ends. */
export async function removeProcess(store: Store, id: string): Promise<void> {
  await store.write(() => run('DELETE FROM process WHERE id = :id', { id }), { isSynced: false });
}

/** Lists the processes of a shared store, those that read documents last. */
export function* listProcesses(): Unit<ProcessRow[]> {
  return yield* all<ProcessRow>(
    `SELECT id, role, version, host, pid, workers, running, started_at AS "startedAtMs", seen_at AS "seenAtMs"
     FROM process ORDER BY role, host, started_at LIMIT :limit`,
    { limit: MAX_LISTED },
  );
}
