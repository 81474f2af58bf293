import { type Logger, pino } from 'pino';
import { makeJsonVisible } from '../contract/visible.js';

/** Writes one JSON line per event to standard error. It never holds document text, keys or arguments. */
export type Log = Logger;

/** Bound on lines that wait while standard error accepts nothing (a full disk). Further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // A call must not fail because the log cannot be written.
  destination.on('error', () => {});
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Paths and names come from strangers, and an operator reads the log on a terminal.
      hooks: { streamWrite: makeJsonVisible },
    },
    destination,
  );
}
