import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import type { Log } from '../log.js';
import { SenderLostError, ServiceError } from './service-error.js';

/** Logs an error that is no refusal, under the requestId that the caller gets. */
export function noteFault(log: Log, requestId: string, error: unknown): void {
  if (error instanceof ServiceError || error instanceof SenderLostError) return;
  // The database's absence is one line, when it begins.
  if (error instanceof DatabaseUnavailableError) return;
  log.error({ requestId, fault: error instanceof Error ? error.stack : String(error) }, 'a call failed');
}
