import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from './running-service.js';

const SERVE = fileURLToPath(new URL('./serve-process.mjs', import.meta.url));
const children = new Set<ChildProcess>();

/** Ends the services that a test has left running. */
export function killSpawnedServices(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

export interface SpawnedService {
  child: ChildProcess;
  url: string;
  /** Key of this machine's organisation. */
  key: string;
  client: ReturnType<typeof createClient>;
  /** Resolves with its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export interface SpawnOptions {
  /** Receives the log of the service. */
  log?: Buffer[];
  /** Limit of open file descriptors. */
  openFiles?: number;
  /** Variables besides those of this process. */
  env?: Record<string, string>;
}

/** Starts the service as a process, which can be killed. */
export async function spawnService(
  dataDir: string,
  settings: object = {},
  program?: string,
  { log, openFiles, env = {} }: SpawnOptions = {},
): Promise<SpawnedService> {
  const command = [process.execPath, SERVE, dataDir, JSON.stringify(settings), ...(program ? [program] : [])];
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', 'pipe', log === undefined ? 'inherit' : 'pipe'],
    env: { ...process.env, ...env, TEST_LOG_LEVEL: log === undefined ? 'silent' : 'trace' },
  });
  child.stderr?.on('data', (chunk: Buffer) => log?.push(chunk));
  children.add(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
  return {
    child,
    url,
    key,
    client: createClient(url, key),
    ended: exited,
    kill: async (signal) => {
      child.kill(signal);
      return await exited;
    },
  };
}

/** Process ids of the document processes of a service. */
export function findChildren(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => readStat(candidate)?.parent === pid);
}

function readStat(pid: number): { parent: number; state: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

export const isRunning = (pid: number) => !['Z', undefined].includes(readStat(pid)?.state);
