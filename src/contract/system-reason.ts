/** Why the system refused something, in its own words: "permission denied", "no space left on device". */
export function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException;
  // No import: every command would load what it does not need unless something fails.
  const { getSystemErrorMap } = process.getBuiltinModule('node:util');
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return words ?? code ?? message ?? String(error);
}
