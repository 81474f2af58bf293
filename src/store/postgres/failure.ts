/** Thrown when the database cannot be reached, or does not take work: the same call may succeed later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** SQLSTATE of two transactions that cannot both be done, one of which can be repeated (appendix A, class 40). */
const REPEATABLE = new Set(['40001', '40P01']);
/** SQLSTATE of a row that a check refuses (appendix A, check_violation). */
const CHECK_VIOLATION = '23514';
/**
 * SQLSTATE classes of a server that is not there, full, stopping or a standby: connections, resources, interventions, read-only.
 * One that heard nothing for too long has undone the transaction (idle_in_transaction_session_timeout).
 */
const UNAVAILABLE = /^(?:08|53|57P|58|25006|25P03)/;
/** Codes of the system, and of a statement that the server did not answer in time. */
const NETWORK = /^(?:ECONN|EPIPE|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|ENOENT|EACCES)/;
/** Messages of the library, which have no codes. */
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered/i;

/** Returns the SQLSTATE of an error, or the code of the system; empty for another one. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** True when a transaction failed because of another one. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.has(codeOf(error)) || isPartitionMoved(error);
}

/**
 * True for a row that was on its way to one partition while another one was attached for it. The check of a partition has no name,
 * unlike every other one.
 */
function isPartitionMoved(error: unknown): boolean {
  return codeOf(error) === CHECK_VIOLATION && (error as { constraint?: string }).constraint === undefined;
}

/** True for a lock that was not got in time (appendix A, lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Explains an error of a database that is away; returns any other error as it is. */
export function explainAbsence(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || !isUnavailable(error)) return error;
  return new DatabaseUnavailableError(`The database is not available: ${(error as Error).message}`, { cause: error });
}

/** True when the statement may not have reached the database, or its answer not this process. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const code = codeOf(error);
  return UNAVAILABLE.test(code) || NETWORK.test(code) || LOST.test(error instanceof Error ? error.message : '');
}
