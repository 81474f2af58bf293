import { readFileSync } from 'node:fs';

/**
 * Returns the private memory that this process has reserved and not touched (proc(5), VmData and RssAnon); 0 on systems
 * without /proc. With Node 24 and later it is half a GB for compiled code, which counts in a limit on private memory.
 */
export function readUnusedBytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    const [data, touched] = ['VmData', 'RssAnon'].map((name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]),
    );
    return Math.max(0, (data ?? 0) - (touched ?? 0)) * 1024 || 0;
  } catch {
    return 0;
  }
}
