/**
 * Returns Unix milliseconds on a clock that nobody sets: the time of day when this process started, plus the time since. Leases
 * and due times are compared on it, so that a change of the clock neither ends a lease nor makes anything due. A new process
 * starts from the time of day again.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
