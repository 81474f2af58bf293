import type { Ora } from 'ora';
import { makeVisible } from './visible.js';

/** One line on standard error that says what is going on, on a terminal alone. */
export interface Progress {
  update(text: string): void;
  /** Takes the line away; nothing may be printed before. */
  stop(): Promise<void>;
}

/** What is quick needs no spinner, and its import would be half of the time. */
const SHOW_AFTER_MS = 400;

export function createProgress({ isShown }: { isShown: boolean }): Progress {
  if (!isShown) return { update() {}, async stop() {} };
  let text = '';
  let spinner: Promise<Ora> | undefined;
  const timer = setTimeout(() => {
    spinner = import('ora').then(({ default: ora }) =>
      // Otherwise ora takes standard input over, and Ctrl-C with it.
      ora({ text, stream: process.stderr, discardStdin: false }).start(),
    );
  }, SHOW_AFTER_MS);
  return {
    update(next) {
      text = makeVisible(next);
      void spinner?.then((shown) => {
        shown.text = text;
      });
    },
    async stop() {
      clearTimeout(timer);
      (await spinner)?.stop();
      spinner = undefined;
    },
  };
}
