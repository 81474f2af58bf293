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
  pty.onData((data) => {
    shown += data;
    for (const look of waiting) look();
  });
  keepUntilRead(pty);
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
        }, 30_000);
        waiting.add(look);
        look();
      });
    },
  };
}

/**
 * Keeps the terminal open until its output is read to the end. node-pty destroys it 200 ms after the process has ended;
 * on a busy machine that loses the last lines.
 */
function keepUntilRead(pty: IPty): void {
  const socket = (pty as IPty & { _socket: ReadStream })._socket;
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => (error || socket.readableEnded ? destroy(error) : socket);
}
