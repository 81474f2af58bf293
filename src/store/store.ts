import type { Bell } from './bell.js';
import type { StoreFailedError } from './sqlite/store-failure.js';
import type { Clock, Unit } from './unit.js';

/** The person who makes a change, as the audit log names it. */
export interface Actor {
  who: string;
  role: 'owner' | 'member' | 'support' | 'operator';
}

/**
 * A store and its units of work. A read sees a write once it is committed, shortly before the write resolves; await `synced`
 * before an answer promises what was read. After an error of the disk reads and writes reject with StoreFailedError.
 */
export interface Store {
  clock: Clock;
  /** Hints between the processes that share the store. */
  bell: Bell;
  /** True when other processes may hold jobs, deliveries and documents of this store. */
  isShared: boolean;
  /** The person whose changes go through this handle, for the audit log; undefined for what the service does by itself. */
  actor?: Actor;
  /** Runs a unit that changes nothing. */
  read<T>(unit: Unit<T>): Promise<T>;
  /** Runs a unit in a transaction of its own; resolves once it is on disk. A unit that throws changes nothing. */
  write<T>(work: () => Unit<T>, options?: WriteOptions): Promise<T>;
  /** Resolves when everything that reads see now is on disk, except writes that were not to be synced. */
  synced(): Promise<void>;
  /** Returns a number that changes when another process may have changed keys, organisations or plans. */
  readDataVersion(): Promise<number>;
  /** Resolves when the store takes work now. @throws the reason why it takes none */
  probe(): Promise<void>;
  /** Resolves when the disk has failed. The process should end then: only a new one can tell what was kept. */
  failed: Promise<StoreFailedError>;
  /** Finishes the writes under way, then closes. */
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False for data that a power cut may lose, though never the end of the process: leases and progress of jobs. Such a write
   * does not wait for the disk.
   */
  isSynced?: boolean;
  /** True for a removal of documents, results or other data of callers, of which no journal may keep a copy for long. */
  isErasure?: boolean;
}
