/** Present work of the service. */
export interface Activity {
  isReady: boolean;
  isStopping: boolean;
  /** Open calls, without health checks. */
  openRequests: number;
  /** Monotonic milliseconds: `performance.now()`. */
  lastEndedAtMs: number;
}
