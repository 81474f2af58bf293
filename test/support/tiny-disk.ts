import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

export interface TinyDisk {
  /** Makes room. */
  grow(): void;
  unmount(): void;
}

/** A file system of so many KiB at a path; undefined where this user may mount none. */
export function mountTinyDisk(path: string, sizeKiB: number): TinyDisk | undefined {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKiB}k,mode=700`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return {
    grow: () => execFileSync('mount', ['-o', 'remount,size=4m', path]),
    unmount: () => execFileSync('umount', ['-l', path]),
  };
}
