import { describe } from 'vitest';

/** Runs a suite, or skips it where the machine lacks something; its name says what then. */
export function describeUnless(lack: string | undefined, name: string, suite: () => void): void {
  describe.skipIf(lack !== undefined)(lack ?? name, suite);
}
