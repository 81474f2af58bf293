import { type Logger, pino } from 'pino';

/** One JSON line an event, on standard error; never document text, a key, or arguments. */
export type Log = Logger;

/** What waits while standard error takes nothing (a full disk); lines beyond it are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // A call must not fail because the log cannot be written.
  destination.on('error', () => {});
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
