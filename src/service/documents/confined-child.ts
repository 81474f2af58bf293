import { type ChildProcess, fork } from 'node:child_process';
import { childLifetime } from '../../system/child-lifetime.js';
import { type Confinement, confine } from './confine.js';
import { minimalEnvironment } from './minimal-environment.js';

/** The end of a child: it died, or the system could not start it. */
export interface ChildEnd {
  hasStarted: boolean;
  message: string;
}

export interface ConfinedChild {
  child: ChildProcess;
  /** Resolves when the child is gone, and its process group is killed. */
  gone: Promise<ChildEnd>;
}

/**
 * Forks `program` with `argument` under the limits of the system, in its own process group where there are groups.
 * @throws when the system has no more processes
 */
export function forkConfined(program: string, argument: string, confinement: Confinement): ConfinedChild {
  const child = fork(program, [argument], {
    ...childLifetime(),
    env: minimalEnvironment(process.env),
    ...confine(confinement, program),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<ChildEnd>((resolve) => {
    let hasStarted = false;
    const end = (message: string) => {
      killGroup(child);
      resolve({ hasStarted, message });
    };
    child.once('spawn', () => {
      hasStarted = true;
    });
    child.once('exit', (code, signal) => end(`its process ended (${signal ?? `code ${code}`})`));
    child.on('error', (error) => {
      if (!hasStarted) end(`no process can be started: ${error.message}`);
    });
  });
  return { child, gone };
}

/** Kills the whole group, because a document process may have started native helpers. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
