import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Confinement } from './confine.js';
import { type ChildEnd, forkConfined, killGroup } from './confined-child.js';
import { lowerPriority } from './lower-priority.js';
import { isStopped, readCpuMs, readResidentBytes, readWaitMs } from './process-usage.js';
import type { Outcome, Report, Task } from './protocol.js';
import { type ExceededLimit, type LimitWatch, type TaskLimits, type Usage, watchLimits } from './watch-limits.js';

export const DOCUMENT_PROGRAM = fileURLToPath(new URL('./document-process.js', import.meta.url));

const LOOK_EVERY_TASKS = 10;

export interface DocumentProcess {
  /** Count of finished tasks. */
  readonly tasks: number;
  /** Highest resident memory at the end of a task. */
  readonly residentBytes: number;
  /** Measures the resident memory of the process and its children. */
  measureMemory(): number;
  readonly isAlive: boolean;
  /** True after a task of much CPU time, which lowered its priority for good: only a privileged service could raise it again. */
  readonly isLowered: boolean;
  /** Performs one task at a time and never rejects. It kills the process when a limit is exceeded. */
  perform(task: Task, limits: TaskLimits, onProgress: (pagesDone: number, pageCount: number) => void): Promise<Outcome>;
  /** Kills the process group; resolves when the process is gone. */
  kill(): Promise<void>;
}

/**
 * Starts `program` with `taskType` as its argument. It uses the messages of protocol.ts.
 * @throws when the system has no more processes
 */
export function startDocumentProcess(
  program: string,
  taskType: Task['type'],
  confinement: Confinement,
): DocumentProcess {
  const { child, gone } = forkConfined(program, taskType, confinement);
  return new ForkedProcess(child, gone);
}

const CRASH: Outcome = { type: 'died', cause: 'crash', message: 'its process has ended' };

class ForkedProcess implements DocumentProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<ChildEnd>;
  #tasks = 0;
  #residentBytes = 0;
  #isLowered = false;
  #current: RunningTask | undefined;

  constructor(child: ChildProcess, gone: Promise<ChildEnd>) {
    this.#child = child;
    this.#gone = gone;
    gone.then((end) => this.#current?.end(describeEnd(end)));
    child.on('message', (message) => this.#current?.note(message as Report));
  }

  get tasks(): number {
    return this.#tasks;
  }

  get residentBytes(): number {
    return this.#residentBytes;
  }

  measureMemory(): number {
    return this.#lookAtMemory() ?? this.#current?.residentBytes ?? this.#residentBytes;
  }

  get isAlive(): boolean {
    const { exitCode, signalCode, connected } = this.#child;
    return exitCode === null && signalCode === null && connected;
  }

  get isLowered(): boolean {
    return this.#isLowered;
  }

  async perform(
    task: Task,
    limits: TaskLimits,
    onProgress: (pagesDone: number, pageCount: number) => void,
  ): Promise<Outcome> {
    if (!this.isAlive) return CRASH;
    const { pid } = this.#child;
    const usage = {
      lookAtMemory: () => this.#lookAtMemory(),
      lookAtCpu: () => readCpuMs(pid),
      lookAtWait: () => readWaitMs(pid),
      isStopped: () => isStopped(pid),
    };
    const running = new RunningTask(limits, usage, onProgress, () => this.#lower());
    this.#current = running;
    this.#child.send(task, (error) => {
      if (error !== null) running.end(CRASH);
    });
    const outcome = await running.ended;
    this.#current = undefined;
    this.#tasks++;
    this.#residentBytes = running.residentBytes ?? this.#residentBytes;
    // Quick tasks end before the first check of the watch. A check after each would cost more than some of them.
    if (this.#tasks % LOOK_EVERY_TASKS === 0 && this.isAlive)
      this.#residentBytes = this.#lookAtMemory() ?? this.#residentBytes;
    if (outcome.type === 'died') await this.kill();
    return outcome;
  }

  async kill(): Promise<void> {
    killGroup(this.#child);
    await this.#gone;
  }

  #lower(): void {
    if (this.#child.pid === undefined) return;
    this.#isLowered = true;
    lowerPriority(this.#child.pid);
  }

  /** Undefined when the system does not report it, or the process is gone. */
  #lookAtMemory(): number | undefined {
    return this.#child.pid === undefined ? undefined : readResidentBytes(this.#child.pid);
  }
}

/** A task until its outcome is known: its limits, and the reports of its process. */
class RunningTask {
  readonly ended: Promise<Outcome>;
  /** The latest measure of resident memory, if there was any. */
  residentBytes: number | undefined;
  /** CPU time that the process reported, on systems where the service cannot look. */
  #reportedCpuMs: number | undefined;
  readonly #watch: LimitWatch;
  readonly #onProgress: (pagesDone: number, pageCount: number) => void;
  #resolve = (_outcome: Outcome): void => {};

  constructor(
    limits: TaskLimits,
    usage: Usage,
    onProgress: (pagesDone: number, pageCount: number) => void,
    lower: () => void,
  ) {
    this.ended = new Promise<Outcome>((resolve) => {
      this.#resolve = resolve;
    });
    const lookAtMemory = () => {
      const bytes = usage.lookAtMemory();
      if (bytes !== undefined) this.residentBytes = bytes;
      return bytes;
    };
    const lookAtCpu = () => usage.lookAtCpu() ?? this.#reportedCpuMs;
    const end = (cause: ExceededLimit, message: string) => this.end({ type: 'died', cause, message });
    this.#watch = watchLimits(limits, { ...usage, lookAtMemory, lookAtCpu }, end, lower);
    this.#onProgress = onProgress;
  }

  note(report: Report): void {
    switch (report.type) {
      case 'usage':
        this.residentBytes = report.rssBytes;
        this.#reportedCpuMs = report.cpuMs;
        this.#watch.noteMemory(report.rssBytes);
        break;
      case 'progress':
        this.#watch.noteProgress();
        this.#onProgress(report.pagesDone, report.pageCount);
        break;
      default:
        this.end(report);
    }
  }

  /** Takes the first outcome; later ones change nothing. */
  end(outcome: Outcome): void {
    this.#watch.stop();
    this.#resolve(outcome);
  }
}

function describeEnd({ hasStarted, message }: ChildEnd): Outcome {
  return hasStarted ? { type: 'died', cause: 'crash', message } : { type: 'unavailable', message };
}
