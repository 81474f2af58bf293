import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds. Patient, for whoever runs the tests may have a busy machine. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'what the test waits for',
  timeoutMs = 90_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await sleep(10);
  }
}
