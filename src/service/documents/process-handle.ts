import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { type Confinement, confine } from './confine.js';
import { minimalEnvironment } from './minimal-environment.js';
import type { Outcome, Report, Task } from './protocol.js';
import { readResidentBytes } from './resident-memory.js';

const WATCH_INTERVAL_MS = 250;
const LOOK_EVERY_TASKS = 10;

export interface TaskLimits {
  timeoutMs: number;
  /** The longest time without a page being done. */
  idleTimeoutMs: number;
  /** Resident memory of the process and what it started. */
  memoryBytes: number;
}

export interface DocumentProcess {
  /** Tasks done so far. */
  readonly tasks: number;
  /** Highest resident memory seen at the end of a task. */
  readonly residentBytes: number;
  readonly isAlive: boolean;
  /** Resolves always; kills the process when a limit is passed. One task at a time. */
  perform(task: Task, limits: TaskLimits, onProgress: (pagesDone: number, pageCount: number) => void): Promise<Outcome>;
  /** Kills the process group; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts `program` in a process group of its own. It speaks the protocol of protocol.ts. @throws when the system has no more processes */
export function startDocumentProcess(program: string, confinement: Confinement): DocumentProcess {
  const child = fork(program, [], {
    detached: true,
    env: minimalEnvironment(process.env),
    ...confine(confinement),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let tasks = 0;
  let residentBytes = 0;
  let finish: ((outcome: Outcome) => void) | undefined;
  let reported: ((report: Report) => void) | undefined;
  let hasStarted = false;
  const gone = new Promise<void>((resolve) => {
    const end = (outcome: Outcome) => {
      finish?.(outcome);
      killGroup(child);
      resolve();
    };
    child.once('spawn', () => {
      hasStarted = true;
      preferForOutOfMemory(child.pid);
    });
    child.once('exit', (code, signal) =>
      end({ type: 'died', cause: 'crash', message: `its process ended (${signal ?? `code ${code}`})` }),
    );
    child.on('error', (error) => {
      if (!hasStarted) end({ type: 'unavailable', message: `no process can be started: ${error.message}` });
    });
  });
  child.on('message', (message) => reported?.(message as Report));

  async function perform(
    task: Task,
    limits: TaskLimits,
    onProgress: (pagesDone: number, pageCount: number) => void,
  ): Promise<Outcome> {
    if (!isAlive()) return { type: 'died', cause: 'crash', message: 'its process has ended' };
    const timers: NodeJS.Timeout[] = [];
    const outcome = await new Promise<Outcome>((resolve) => {
      finish = resolve;
      const die = (cause: 'timeout' | 'no-progress' | 'memory', message: string) =>
        resolve({ type: 'died', cause, message });
      const overLimit = (bytes: number) => {
        residentBytes = bytes;
        if (bytes > limits.memoryBytes)
          die('memory', `it needs more than ${formatMebibytes(limits.memoryBytes)} of memory`);
      };
      const idle = setTimeout(
        () => die('no-progress', `no page was done within ${limits.idleTimeoutMs / 1000} s`),
        limits.idleTimeoutMs,
      );
      const wall = setTimeout(
        () => die('timeout', `it was not done within ${limits.timeoutMs / 1000} s`),
        limits.timeoutMs,
      );
      const watch = setInterval(() => {
        const bytes = child.pid === undefined ? undefined : readResidentBytes(child.pid);
        if (bytes !== undefined) overLimit(bytes);
      }, WATCH_INTERVAL_MS);
      timers.push(idle, wall, watch);
      reported = (report) => {
        if (report.type === 'usage') return overLimit(report.rssBytes);
        if (report.type !== 'progress') return resolve(report);
        idle.refresh();
        onProgress(report.pagesDone, report.pageCount);
      };
      child.send(task, (error) => {
        if (error !== null) resolve({ type: 'died', cause: 'crash', message: 'its process has ended' });
      });
    });
    for (const timer of timers) clearTimeout(timer);
    finish = undefined;
    reported = undefined;
    tasks++;
    // Quick tasks end before the watch has looked once; looking after each would cost more than some of them.
    if (child.pid !== undefined && tasks % LOOK_EVERY_TASKS === 0 && isAlive())
      residentBytes = readResidentBytes(child.pid) ?? residentBytes;
    if (outcome.type === 'died') await kill();
    return outcome;
  }

  const isAlive = () => child.exitCode === null && child.signalCode === null && child.connected;
  const kill = async () => {
    killGroup(child);
    await gone;
  };
  return {
    get tasks() {
      return tasks;
    },
    get residentBytes() {
      return residentBytes;
    },
    get isAlive() {
      return isAlive();
    },
    perform,
    kill,
  };
}

/** The group, because a document process may have started native helpers. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** When the machine itself runs out of memory, the kernel shall take a document's process before the service. */
function preferForOutOfMemory(pid: number | undefined): void {
  if (process.platform === 'linux' && pid !== undefined)
    writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {});
}

function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
