import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { type Confinement, confine } from './confine.js';
import { minimalEnvironment } from './minimal-environment.js';
import type { Outcome, Report, Task } from './protocol.js';
import { readResidentBytes } from './resident-memory.js';
import { type TaskLimits, watchLimits } from './watch-limits.js';

const LOOK_EVERY_TASKS = 10;

export interface DocumentProcess {
  /** Count of finished tasks. */
  readonly tasks: number;
  /** Highest resident memory at the end of a task. */
  readonly residentBytes: number;
  readonly isAlive: boolean;
  /** Performs one task at a time and never rejects. It kills the process when a limit is exceeded. */
  perform(task: Task, limits: TaskLimits, onProgress: (pagesDone: number, pageCount: number) => void): Promise<Outcome>;
  /** Kills the process group; resolves when the process is gone. */
  kill(): Promise<void>;
}

/**
 * Starts `program` with `taskType` as its argument, in its own process group. It uses the messages of protocol.ts.
 * @throws when the system has no more processes
 */
export function startDocumentProcess(
  program: string,
  taskType: Task['type'],
  confinement: Confinement,
): DocumentProcess {
  const child = fork(program, [taskType], {
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
    let resolve = (_outcome: Outcome): void => {};
    const ended = new Promise<Outcome>((end) => {
      resolve = end;
    });
    finish = resolve;
    const watch = watchLimits(limits, lookAtMemory, (cause, message) => resolve({ type: 'died', cause, message }));
    reported = (report) => {
      if (report.type === 'usage') return watch.noteMemory(noteMemory(report.rssBytes));
      if (report.type !== 'progress') return resolve(report);
      watch.noteProgress();
      onProgress(report.pagesDone, report.pageCount);
    };
    child.send(task, (error) => {
      if (error !== null) resolve({ type: 'died', cause: 'crash', message: 'its process has ended' });
    });
    const outcome = await ended;
    watch.stop();
    finish = undefined;
    reported = undefined;
    tasks++;
    // Quick tasks end before the first check of the watch. A check after each would cost more than some of them.
    if (tasks % LOOK_EVERY_TASKS === 0 && isAlive()) lookAtMemory();
    if (outcome.type === 'died') await kill();
    return outcome;
  }

  function noteMemory(bytes: number): number {
    residentBytes = bytes;
    return bytes;
  }

  /** Undefined when the system does not report it, or the process is gone. */
  function lookAtMemory(): number | undefined {
    const bytes = child.pid === undefined ? undefined : readResidentBytes(child.pid);
    return bytes === undefined ? undefined : noteMemory(bytes);
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

/** Kills the whole group, because a document process may have started native helpers. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Makes the kernel prefer a document process over the service when the machine runs out of memory. */
function preferForOutOfMemory(pid: number | undefined): void {
  if (process.platform === 'linux' && pid !== undefined)
    writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {});
}
