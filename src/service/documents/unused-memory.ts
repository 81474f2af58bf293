import { readFileSync } from 'node:fs';

/**
 * Private memory that this process has and has not touched (proc(5), VmData and RssAnon); 0 where the system does not say.
 * From Node 24 on it is half a GB that may hold compiled code, which a limit on private memory counts.
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
