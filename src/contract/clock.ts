/** The time. Code that waits gets it as an argument, so that tests can check a schedule without waiting. */
export interface Clock {
  /** Unix milliseconds, for times that are stored or shown. Somebody may set this clock while a command waits. */
  now(): number;
  /** Milliseconds since an unspecified moment, on a clock that nobody sets: for durations. */
  monotonicMs(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
