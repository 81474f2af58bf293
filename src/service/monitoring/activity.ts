/** What the service has to do at the moment. */
export interface Activity {
  isReady: boolean;
  isStopping: boolean;
  /** Calls under way, without health checks. */
  openRequests: number;
  /** On a clock that nobody sets: `performance.now()`. */
  lastEndedAtMs: number;
}
