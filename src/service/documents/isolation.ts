import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { SHELL } from './confine.js';

/** The protection of document processes on this system (confine.ts), which differs between systems. */
export interface Isolation {
  /** Protection from other files, programs, and unbounded memory. */
  files: boolean;
  network: boolean;
}

const PATIENCE_MS = 5_000;

/** Finds the protection by trying it, in the way document processes do. */
export async function findIsolation(): Promise<Isolation> {
  const files = process.platform === 'linux' && existsSync(SHELL);
  const tried = files
    ? promisify(execFile)('unshare', ['--user', '--net', 'true'], { timeout: PATIENCE_MS }).then(
        () => true,
        () => false,
      )
    : false;
  return { files, network: await tried };
}

/** Returns warnings for the operator; empty when nothing is missing. */
export function describeLacks({ files, network }: Isolation): string[] {
  if (!files)
    return [
      'document processes are kept from files, programs and the network on Linux alone: run the service there, or in a container, if documents come from strangers',
    ];
  if (network) return [];
  return [
    'document processes have a network, since `unshare --user --net` does not work here: allow user name spaces, or forbid the network from outside, if documents come from strangers',
  ];
}
