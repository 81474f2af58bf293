/** What Node's errors have, and those of SQLite: its result code (sqlite.org/rescode.html), and the system's number below it. */
type SystemError = NodeJS.ErrnoException & { errcode?: number; systemErrno?: number };

/** Why the system or SQLite refused something, in its own words: "permission denied", "no space left on device". */
export function reasonOf(error: unknown): string {
  const { errno, code, errcode, message } = error as SystemError;
  // All of SQLite's have one code.
  if (errcode !== undefined) return isNoSpace(error) ? 'no space left on device' : message;
  // The system speaks of an illegal operation, which is one of the program's, not of the user's.
  if (code === 'EISDIR') return 'it is a directory';
  // No import: every command would load what it does not need unless something fails.
  const { getSystemErrorMap } = process.getBuiltinModule('node:util');
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return words ?? code ?? message ?? String(error);
}

/** Whether the disk is full, or somebody's part of it; SQLite may call that a disk I/O error. */
export function isNoSpace(error: unknown): boolean {
  const { code, errcode, systemErrno } = (error ?? {}) as SystemError;
  return code === 'ENOSPC' || code === 'EDQUOT' || (errcode !== undefined && (errcode === 13 || systemErrno === 28));
}
