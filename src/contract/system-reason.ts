/** Why the system refused something, in its own words: "permission denied", "no space left on device". */
export function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException;
  // The system speaks of an illegal operation, which is one of the program's, not of the user's.
  if (code === 'EISDIR') return 'it is a directory';
  // No import: every command would load what it does not need unless something fails.
  const { getSystemErrorMap } = process.getBuiltinModule('node:util');
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return words ?? code ?? message ?? String(error);
}
