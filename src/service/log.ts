import { type Logger, pino } from 'pino';

/** One JSON line an event, on standard error; never document text, a key, or arguments. */
export type Log = Logger;

export function createLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
