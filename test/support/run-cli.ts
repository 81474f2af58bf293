import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';
import { checkJson } from './check-json.js';
import type { TemporaryHome } from './temporary-home.js';

export const LAUNCHER = fileURLToPath(new URL('../../bin/ocr.js', import.meta.url));

export interface CliRun {
  exitCode: number | undefined;
  /** The signal that ended it, if one did. */
  signal: string | undefined;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  home: TemporaryHome;
  env?: Record<string, string>;
  cwd?: string;
  input?: string | Uint8Array;
}

/** Starts bin/ocr.js through pipes, with nothing of the tests' own environment. */
export function startCli(args: readonly string[], { home, env, cwd, input }: RunOptions) {
  const options = {
    cwd: cwd ?? home.dir,
    env: { ...home.env, ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
  } satisfies Options;
  return execa(process.execPath, [LAUNCHER, ...args], options);
}

/** Runs it to its end. What it prints with --json is held against docs/schemas. */
export async function runCli(args: readonly string[], options: RunOptions): Promise<CliRun> {
  const { exitCode, signal, stdout, stderr } = await startCli(args, options);
  await checkJson(args, String(stdout));
  return { exitCode, signal, stdout: String(stdout), stderr: String(stderr) };
}
