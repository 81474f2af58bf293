import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { createRun } from '../../dist/run.js';
import { checkJson } from './check-json.js';
import type { CliRun, RunOptions } from './run-cli.js';

let isRunning = false;

/**
 * As runCli, in the process of the tests, for commands that end by themselves: the same program with the same files, stores
 * and servers, without the fifth of a second that a process takes to begin. What belongs to a process is tested with one:
 * its end and exit code, signals, terminals, pipes that close, and a command of each kind.
 */
export async function runHere(args: readonly string[], { home, env, cwd, input = '' }: RunOptions): Promise<CliRun> {
  if (isRunning)
    throw new Error('A process has one working directory and one environment: await each runHere before the next.');
  isRunning = true;
  const before = { cwd: process.cwd(), umask: process.umask(), env: { ...process.env } };
  const [stdout, stderr] = [createMemorySink(), createMemorySink()];
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  let exitCode: number | undefined;
  try {
    process.chdir(cwd ?? home.dir);
    // Node reads some of it by itself: the directories for temporary files and of the user.
    setEnvironment({ ...home.env, ...env });
    const run = createRun({
      argv: [...args],
      env: process.env,
      io: { stdin: Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream, stdout, stderr },
      signal,
      setExitCode: (code) => {
        exitCode = code;
      },
    });
    await run.start();
  } finally {
    process.chdir(before.cwd);
    setEnvironment(before.env);
    // `ocr admin` sets it for its whole process.
    process.umask(before.umask);
    isRunning = false;
  }
  await checkJson(args, stdout.text());
  return { exitCode, signal: undefined, stdout: stdout.text(), stderr: stderr.text() };
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** What a pipe is to a command. */
function createMemorySink() {
  const chunks: Buffer[] = [];
  return {
    isTerminal: false,
    columns: 80,
    isClosed: false,
    write: async (text: string | Uint8Array) => void chunks.push(Buffer.from(text)),
    text: () => Buffer.concat(chunks).toString(),
  };
}
