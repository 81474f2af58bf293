/** The time, passed to code that waits, so that tests can check a schedule without waiting. */
export interface Clock {
  /** Unix milliseconds, for what is kept or shown. Somebody may set it while a command waits. */
  now(): number;
  /** Milliseconds since whenever, on a clock that nobody sets: for time that passes. */
  monotonicMs(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
