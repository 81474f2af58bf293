import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { type IPty, spawn } from '@lydell/node-pty';
import { LAUNCHER } from './run-cli.js';
import type { TemporaryHome } from './temporary-home.js';

export interface Terminal {
  /** All that was shown so far, escape sequences included. */
  readonly shown: string;
  type(text: string): void;
  /** Resolves when the terminal shows it. */
  waitFor(pattern: RegExp): Promise<void>;
  exited: Promise<{ exitCode: number; signal: number | undefined }>;
  kill(signal?: string): void;
}

export interface TerminalOptions {
  home: TemporaryHome;
  env?: Record<string, string>;
  redirect?: string;
  columns?: number;
}

/** Starts bin/ocr.js in a terminal of 30 rows; `redirect` as a shell takes it, `2> notes`, sends a stream elsewhere. */
export function openTerminal(
  args: readonly string[],
  { home, env = {}, redirect = '', columns = 100 }: TerminalOptions,
): Terminal {
  const { TERM = 'xterm-256color' } = env;
  const command = ['-c', `exec "$0" "$@" ${redirect}`, process.execPath, LAUNCHER, ...args];
  const pty = spawn('/bin/sh', command, {
    name: TERM,
    cols: columns,
    rows: 30,
    cwd: home.dir,
    env: { ...home.env, ...env, TERM },
  });
  let shown = '';
  const waiting = new Set<() => void>();
  const close = keepUntilRead(pty);
  pty.onData((data) => {
    shown += data;
    if (shown.endsWith(END)) {
      shown = shown.slice(0, -END.length);
      close();
    }
    for (const look of waiting) look();
  });
  const exited = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => resolve({ exitCode, signal: signal || undefined }));
  });
  return {
    get shown() {
      return shown;
    },
    type: (text) => pty.write(text),
    kill: (signal) => pty.kill(signal),
    exited,
    async waitFor(pattern) {
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!pattern.test(shown)) return;
          waiting.delete(look);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`The terminal does not show ${pattern}; it shows:\n${shown}`));
        }, 60_000);
        waiting.add(look);
        look();
      });
    },
  };
}

/** Mark that is written to a terminal behind all that its process has written. */
const END = '\u0000end of the output\u0000';

/**
 * Keeps the terminal open until its output is read to the end, and returns what closes it then. libuv takes the end of the
 * last process at a terminal for the end of its output where a read brings less than it asks for; on a busy machine that
 * loses the last lines. With a second holder of the terminal there is no such end: what comes before its word is all.
 */
function keepUntilRead(pty: IPty): () => void {
  const { _socket: socket, _pty: path } = pty as IPty & { _socket: ReadStream; _pty: string };
  const holder = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const destroy = socket.destroy.bind(socket);
  // node-pty destroys the socket 200 ms after the process has ended.
  socket.destroy = () => {
    writeSync(holder, END);
    return socket;
  };
  return () => {
    closeSync(holder);
    destroy();
  };
}
