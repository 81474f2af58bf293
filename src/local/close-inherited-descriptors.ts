import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** Octal in the `flags` of `/proc/<pid>/fdinfo/<fd>` (proc(5)). */
const O_CLOEXEC = 0o2000000;

/**
 * Closes what whoever started this process had open and did not keep from it: the lock of a script (`exec 200>file; flock
 * 200`), a pipe that somebody reads to its end. Node closes its own descriptors in the programs it starts, which tells them
 * apart, but not all of those that it was given. On Linux; other systems do not say.
 */
export function closeInheritedDescriptors(): void {
  for (const fd of listDescriptors()) if (fd > 2 && isInherited(fd)) closeSync(fd);
}

function listDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // The one that listed them.
    return false;
  }
}
