import { EXIT, type ExitCode } from '../contract/exit-codes.js';

/** Combines the exit codes of several inputs: failed beats pending; one reason for all is that code, a mixture is 8. */
export function combineExitCodes(codes: readonly ExitCode[]): ExitCode {
  const interrupted = codes.find((code) => code === EXIT.interrupted || code === EXIT.terminated);
  if (interrupted !== undefined) return interrupted;
  const failures = codes.filter(isFailure);
  const [first] = failures;
  if (first === undefined) return codes.includes(EXIT.pending) ? EXIT.pending : EXIT.ok;
  return failures.length === codes.length && failures.every((code) => code === first) ? first : EXIT.partial;
}

/** True when the input failed; false for one whose job goes on. */
export function isFailure(code: ExitCode): boolean {
  return code !== EXIT.ok && code !== EXIT.pending;
}
