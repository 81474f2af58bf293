import type { Log } from '../log.js';

/** The steps that stop a service. A failed start and an ordinary stop run the same steps. */
export interface ShutdownSequence {
  /** Adds the step that undoes what has just started. */
  add(step: () => unknown): void;
  /** Runs the steps, the latest first. A failing step does not prevent the others. A second call has no effect. */
  run(): Promise<void>;
  /** Resolves after all steps, whoever called `run`. */
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
