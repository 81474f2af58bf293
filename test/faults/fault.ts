import type { FaultShim } from '../support/fault-shim/fault-shim.js';
import type { Senders } from './senders.js';

/** Promises of the service that a fault may break (docs/service.md). */
export type Promised =
  | 'nothing acknowledged is lost'
  | 'every acknowledged job ends once'
  | 'results are whole'
  | 'a repeated call gets the same job'
  | 'another caller is answered'
  | 'the service says what failed and ends'
  | 'the service continues by itself';

/** The means of a fault. Everything is removed and ended after it. */
export interface FaultRun {
  /** Number of rounds, from FAULT_ROUNDS or the fault's own default. */
  rounds: number;
  /** An empty directory. */
  createDirectory(): string;
  /** A shim for services on `dataDir`; skips the fault on a machine without a C compiler. */
  createShim(dataDir: string, options?: { isLogging?: boolean }): FaultShim;
  /** Throws, so that the table names why this machine cannot make the fault. */
  skip(reason: string): never;
  /** Checks what the senders were promised on `dataDir`, which no service holds. Starts one service for it. */
  check(dataDir: string, senders: Pick<Senders, 'sent' | 'faults'>): Promise<void>;
  /** Counts acknowledged documents that the fault has checked by itself. */
  checked(documents: number): void;
  /** Notes a broken promise and continues. */
  broken(promise: Promised, details: string): void;
  /** Counts faults that happened, of one kind. */
  count(what: string, by?: number): void;
}

/** A fault is a file of `faults/` that exports one of these under the name `fault`. */
export interface Fault {
  /** One line of the table: what is done to the service. */
  name: string;
  promises: readonly Promised[];
  rounds: number;
  run(run: FaultRun): Promise<void>;
}
