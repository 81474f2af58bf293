/** An error of Node, or of SQLite with its result code (sqlite.org/rescode.html) and the system's number below it. */
type SystemError = NodeJS.ErrnoException & { errcode?: number; systemErrno?: number };

/** Returns the reason of the system or SQLite in its own words: "permission denied", "no space left on device". */
export function reasonOf(error: unknown): string {
  const { errno, code, errcode, message } = error as SystemError;
  // SQLite gives the same `code` to all its errors.
  if (errcode !== undefined) return isNoSpace(error) ? 'no space left on device' : message;
  // The system's words are "illegal operation on a directory", which sounds like a fault of the program.
  if (code === 'EISDIR') return 'it is a directory';
  // Every command would pay for an import that only a failure needs.
  const { getSystemErrorMap } = process.getBuiltinModule('node:util');
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return words ?? code ?? message ?? String(error);
}

/** The reason why a directory cannot be made: something else may have its name. */
export const reasonOfDirectory = (error: unknown): string =>
  (error as SystemError).code === 'EEXIST' ? 'not a directory' : reasonOf(error);

/** True when the disk or a user's quota on it is full; SQLite may call that a disk I/O error. */
export function isNoSpace(error: unknown): boolean {
  const { code, errcode, systemErrno } = (error ?? {}) as SystemError;
  return code === 'ENOSPC' || code === 'EDQUOT' || (errcode !== undefined && (errcode === 13 || systemErrno === 28));
}
