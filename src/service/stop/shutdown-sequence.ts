import type { Log } from '../log.js';

/** How all that was begun ends: in the same way where a start fails and where the service is told to stop. */
export interface ShutdownSequence {
  /** Said of what has just begun. */
  add(step: () => unknown): void;
  /** Ends the latest first; one that cannot be ended keeps no other from it. Asked twice, it happens once. */
  run(): Promise<void>;
  /** Resolves when it has happened, whoever asked for it. */
  ended: Promise<void>;
}

export function createShutdownSequence(log: Log): ShutdownSequence {
  const steps: Array<() => unknown> = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });

  async function endAll(): Promise<void> {
    for (const step of steps.reverse()) {
      try {
        await step();
      } catch (error) {
        log.error({ reason: String(error) }, 'a step of stopping failed');
      }
    }
  }

  const ended = begun.then(endAll);
  return {
    add: (step) => {
      steps.push(step);
    },
    run: () => {
      begin();
      return ended;
    },
    ended,
  };
}
