import type { Ora } from 'ora';
import { makeOneLine } from '../../contract/visible.js';
import type { Sink } from './sink.js';
import { colourLevel } from './style.js';

/** One line on standard error that says what is going on, on a terminal alone. */
export interface Progress {
  update(text: string): void;
  /** Takes the line away while something else is printed. */
  pauseFor(print: () => Promise<void>): Promise<void>;
  /** Takes the line away for good. */
  stop(): Promise<void>;
}

/** Delay before the spinner: a quick command needs none, and importing it would take half of its time. */
const SHOW_AFTER_MS = 400;

export interface ProgressOptions {
  io: { stderr: Sink };
  output: { isQuiet: boolean; isJson: boolean };
  flags: { color: boolean };
  env: NodeJS.ProcessEnv;
}

export function createProgress(options: ProgressOptions): Progress {
  if (!isShown(options)) return { update() {}, pauseFor: async (print) => await print(), async stop() {} };
  const isColoured = colourLevel({ isTerminal: true, isRefused: !options.flags.color, env: options.env }) > 0;
  let text = '';
  let spinner: Promise<Ora> | undefined;
  let printing = 0;
  let isStopped = false;
  const timer = setTimeout(() => {
    spinner = import('ora').then(({ default: ora }) => {
      // Otherwise ora takes standard input over, and Ctrl-C with it.
      const made = ora({ text, stream: process.stderr, discardStdin: false, color: isColoured ? 'cyan' : false });
      return printing === 0 && !isStopped ? made.start() : made;
    });
  }, SHOW_AFTER_MS);
  return {
    update(next) {
      text = makeOneLine(next);
      void spinner?.then((shown) => {
        shown.text = text;
      });
    },
    async pauseFor(print) {
      printing++;
      try {
        if (!isStopped) (await spinner)?.stop();
        await print();
      } finally {
        printing--;
        if (printing === 0 && !isStopped) (await spinner)?.start();
      }
    },
    async stop() {
      if (isStopped) return;
      isStopped = true;
      clearTimeout(timer);
      (await spinner)?.stop();
    },
  };
}

/** True on a terminal where ora can redraw its line; elsewhere it would write line under line. */
function isShown({ io: { stderr }, output, env }: ProgressOptions): boolean {
  if (!stderr.isTerminal || output.isQuiet || output.isJson) return false;
  // It counts the lines of a terminal without a width for ever.
  return env.TERM !== 'dumb' && !env.CI && Boolean(process.stderr.columns);
}
