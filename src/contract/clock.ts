/** The time, passed to code that waits, so that tests can check a schedule without waiting. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
