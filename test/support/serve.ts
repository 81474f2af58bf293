import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LAUNCHER } from './run-cli.js';
import type { TemporaryHome } from './temporary-home.js';

/** `ocr serve` in a process of its own. */
export interface Serving {
  url: string;
  pid: number;
  dataDir: string;
  /** Its log so far. */
  log(): string;
  /** Its exit code, once it has ended; null where a signal ended it. */
  ended: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>;
}

/** Starts it, behind the words `run` if there are any, and waits for its line. @throws where it ends before */
export async function startServe(
  home: TemporaryHome,
  args: readonly string[] = ['--port', '0'],
  env: Record<string, string> = {},
  run: readonly string[] = [],
): Promise<Serving> {
  const [program = '', ...words] = [...run, process.execPath, LAUNCHER, 'serve', '--json', ...args];
  const child = spawn(program, words, {
    env: { ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
    ended.then((code) => Promise.reject(new Error(`serve ended with ${code}: ${log}`))),
  ]);
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    ...(JSON.parse(line) as Pick<Serving, 'url' | 'pid' | 'dataDir'>),
    log: () => log,
    ended,
    signal,
    stop: async () => {
      signal('SIGTERM');
      return await ended;
    },
  };
}
