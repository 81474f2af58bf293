import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemporaryHome } from './temporary-home.js';

export interface SettableClock {
  /** Gives a command this clock. */
  env: Record<string, string>;
  /** Moves the time of day of commands that run. */
  set(byMs: number): void;
}

/** A time of day that somebody sets while a command runs; timers and the monotonic clock go on. */
export function createSettableClock({ dir }: TemporaryHome): SettableClock {
  const path = join(dir, 'clock-offset');
  writeFileSync(path, '0');
  const shim = `
    import { readFileSync } from 'node:fs';
    const realNow = Date.now;
    Date.now = () => realNow() + Number(readFileSync(${JSON.stringify(path)}, 'utf8'));
  `;
  return {
    env: { NODE_OPTIONS: `--import data:text/javascript;base64,${Buffer.from(shim).toString('base64')}` },
    set: (byMs) => writeFileSync(path, String(byMs)),
  };
}
