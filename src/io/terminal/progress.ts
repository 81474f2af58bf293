import type { Ora } from 'ora';
import { makeOneLine } from '../../contract/visible.js';
import type { LineParts } from './fit-line.js';
import type { Sink } from './sink.js';
import { colourLevel } from './style.js';

/** One line on standard error that says what is going on, on a terminal alone. */
export interface Progress {
  /** False where there is no line: notes then say what people have to know. */
  readonly isShown: boolean;
  /** Shows what `describe` says now, and asks it again every second. */
  show(describe: () => LineParts): void;
  update(text: string): void;
  /** Takes the line away while something else is printed or asked. */
  pauseFor<T>(print: () => Promise<T>): Promise<T>;
  /** Takes the line away for good. */
  stop(): Promise<void>;
}

/** Delay before the spinner: a quick command needs none, and importing it would take half of its time. */
const SHOW_AFTER_MS = 400;
const REDRAW_EVERY_MS = 1_000;
/** Columns of the spinner and its space, and the last column, where some terminals wrap. */
const SPINNER_WIDTH = 3;

export interface ProgressOptions {
  io: { stderr: Sink };
  output: { isQuiet: boolean; isJson: boolean };
  flags: { color: boolean };
  env: NodeJS.ProcessEnv;
}

const NO_PROGRESS: Progress = {
  isShown: false,
  show() {},
  update() {},
  pauseFor: async (print) => await print(),
  async stop() {},
};

export function createProgress(options: ProgressOptions): Progress {
  if (!isShown(options)) return NO_PROGRESS;
  const { stderr } = options.io;
  const isColoured = colourLevel({ isTerminal: true, isRefused: !options.flags.color, env: options.env }) > 0;
  let describe = (): LineParts => ({ head: '', name: '', words: '', extras: [] });
  let spinner: Promise<{ line: Ora; redraw: () => void }> | undefined;
  let redrawing: NodeJS.Timeout | undefined;
  let printing = 0;
  let isStopped = false;
  const timer = setTimeout(() => {
    spinner = startSpinner();
  }, SHOW_AFTER_MS);

  async function startSpinner() {
    const [{ default: ora }, { default: columnsOf }, { fitLine }] = await Promise.all([
      import('ora'),
      import('string-width'),
      import('./fit-line.js'),
    ]);
    const render = () => {
      const { head, name, words, extras } = describe();
      const [shownName, shownWords] = [makeOneLine(name), makeOneLine(words)];
      const parts = { head, name: shownName, words: shownWords, extras };
      return fitLine(parts, stderr.columns - SPINNER_WIDTH, columnsOf);
    };
    // Otherwise ora takes standard input over, and Ctrl-C with it.
    const how = {
      stream: process.stderr,
      discardStdin: false,
      color: isColoured ? ('cyan' as const) : (false as const),
    };
    const line = ora({ ...how, text: render() });
    const redraw = () => {
      line.text = render();
    };
    if (!isStopped) {
      redrawing = setInterval(redraw, REDRAW_EVERY_MS).unref();
      process.stderr.on('resize', redraw);
      if (printing === 0) line.start();
    }
    return { line, redraw };
  }
  const show = (next: () => LineParts) => {
    describe = next;
    void spinner?.then(({ redraw }) => redraw());
  };
  return {
    isShown: true,
    show,
    update: (text) => show(() => ({ head: '', name: '', words: text, extras: [] })),
    async pauseFor(print) {
      printing++;
      try {
        if (!isStopped) (await spinner)?.line.stop();
        return await print();
      } finally {
        printing--;
        if (printing === 0 && !isStopped) (await spinner)?.line.start();
      }
    },
    async stop() {
      if (isStopped) return;
      isStopped = true;
      clearTimeout(timer);
      const shown = await spinner;
      clearInterval(redrawing);
      if (shown === undefined) return;
      process.stderr.off('resize', shown.redraw);
      shown.line.stop();
    },
  };
}

/** True on a terminal where ora can redraw its line; elsewhere it would write line under line. */
function isShown({ io: { stderr }, output, env }: ProgressOptions): boolean {
  if (!stderr.isTerminal || output.isQuiet || output.isJson) return false;
  // It counts the lines of a terminal without a width for ever.
  return env.TERM !== 'dumb' && !env.CI && Boolean(process.stderr.columns);
}
