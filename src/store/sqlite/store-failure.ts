import { reasonOf } from '../../contract/system-reason.js';

/** The step of writing that failed. */
export type FailedStep = 'commit' | 'sync' | 'checkpoint';

const CONSEQUENCES: Record<FailedStep, string> = {
  commit: 'a transaction could not be committed',
  sync: 'the journal could not be brought to the disk',
  checkpoint: 'the journal could not be moved into the database',
};

/**
 * Thrown after an error of the disk while the store wrote, and by every later access. The outcome of the last writes is
 * unknown: they may survive this process, so nothing that they need may be removed.
 */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
  readonly step: FailedStep;
  /** The file of the failed operation. */
  readonly file: string;
  /** The reason of the system or of SQLite, with its code. */
  readonly reason: string;

  constructor(step: FailedStep, file: string, cause: unknown) {
    const reason = describe(cause);
    super(`${file}: ${CONSEQUENCES[step]} (${reason})`, { cause });
    this.step = step;
    this.file = file;
    this.reason = reason;
  }
}

function describe(cause: unknown): string {
  const { code, errcode, syscall } = (cause ?? {}) as { code?: string; errcode?: number; syscall?: string };
  const details = errcode === undefined ? [syscall, code].filter((part) => part !== undefined) : [`SQLite ${errcode}`];
  return [...details, reasonOf(cause)].join(' ');
}
