import { DatabaseUnavailableError } from '../store/postgres/failure.js';
import type { Log } from './log.js';

/**
 * Logs that a task in the background failed and goes on later. While a shared database is away every task fails at every turn:
 * the log says once that it is, so these lines are for debugging.
 */
export function noteTrouble(log: Log, error: unknown, message: string, facts: Record<string, unknown> = {}): void {
  const line = { ...facts, reason: error instanceof Error ? error.message : String(error) };
  if (error instanceof DatabaseUnavailableError) log.debug(line, message);
  else log.error(line, message);
}
