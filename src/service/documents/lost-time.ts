/** The use of a process and its children; undefined when the system does not report it, or the process is gone. */
export interface WaitUsage {
  /** Time for which its threads have waited for a core, in milliseconds, the sum of all. */
  lookAtWait(): number | undefined;
  /** CPU time since its start, in milliseconds. */
  lookAtCpu(): number | undefined;
  /** True while somebody has stopped the process. */
  isStopped(): boolean;
}

/** A look that comes later than planned by more than this: the service itself was stopped, and the process may have been too. */
const MIN_GAP_MS = 1_000;

/**
 * Sums the time in which a process could not work: its threads waited for a core, somebody had stopped it, or the machine slept.
 * Its limits do not count such time. While one of its threads computes, others may wait: time in which it computed is not lost.
 */
export class LostTime {
  readonly #usage: WaitUsage;
  readonly #intervalMs: number;
  #lookedAtMs = performance.now();
  #waitMs: number | undefined;
  #cpuMs: number | undefined;
  #totalMs = 0;

  constructor(usage: WaitUsage, intervalMs: number) {
    this.#usage = usage;
    this.#intervalMs = intervalMs;
  }

  /** Lost time since the start, at the latest look. */
  get totalMs(): number {
    return this.#totalMs;
  }

  /** CPU time of the process since its start, at the latest look that the system answered. */
  get cpuMs(): number | undefined {
    return this.#cpuMs;
  }

  /** Looks at the process, and returns the lost time since the start. Call it at the interval at least. */
  look(): number {
    const nowMs = performance.now();
    const passedMs = nowMs - this.#lookedAtMs;
    const waitMs = this.#usage.lookAtWait();
    const cpuMs = this.#usage.lookAtCpu();
    const waitedMs = Math.max(0, (waitMs ?? 0) - (this.#waitMs ?? waitMs ?? 0));
    const computedMs = Math.max(0, (cpuMs ?? 0) - (this.#cpuMs ?? cpuMs ?? 0));
    const gapMs = passedMs - this.#intervalMs > MIN_GAP_MS ? passedMs : 0;
    const stoppedMs = this.#usage.isStopped() ? passedMs : 0;
    const starvedMs = Math.min(waitedMs, Math.max(0, passedMs - computedMs));
    this.#totalMs += Math.min(passedMs, Math.max(starvedMs, gapMs, stoppedMs));
    this.#lookedAtMs = nowMs;
    this.#waitMs = waitMs ?? this.#waitMs;
    this.#cpuMs = cpuMs ?? this.#cpuMs;
    return this.#totalMs;
  }
}
