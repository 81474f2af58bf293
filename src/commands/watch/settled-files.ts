import { stat } from 'node:fs/promises';

/** Time without a change after which a file is taken for whole. */
const SETTLE_MS = 2_000;
const LOOK_EVERY_MS = 250;

export interface SettledFiles {
  /** Looks at a file until it has not changed for SETTLE_MS. */
  add(path: string): void;
  /** Stops the timer that looks at the files. */
  stop(): void;
}

interface Unsettled {
  version: string;
  sinceMs: number;
}

/** Finds out when files are whole: writers give no other sign. `take` gets each with its version; `drop` one that goes away. */
export function createSettledFiles(
  take: (path: string, version: string) => void,
  drop: (path: string) => void = () => {},
): SettledFiles {
  const unsettled = new Map<string, Unsettled>();
  let isLooking = false;
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (const [path, known] of unsettled) {
      const version = await readVersion(path);
      const nowMs = performance.now();
      if (version === undefined) {
        unsettled.delete(path);
        drop(path);
      } else if (version !== known.version) unsettled.set(path, { version, sinceMs: nowMs });
      else if (nowMs - known.sinceMs >= SETTLE_MS) {
        unsettled.delete(path);
        take(path, version);
      }
    }
    isLooking = false;
  }
  return {
    add(path) {
      if (!unsettled.has(path)) unsettled.set(path, { version: '', sinceMs: 0 });
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns what differs between two versions of a file; undefined where there is no file. */
async function readVersion(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? `${found.size} ${found.mtimeMs} ${found.ino}` : undefined;
}

/** Resolves when none of the files has changed for SETTLE_MS. Files that were last changed longer ago are whole. */
export async function waitUntilSettled(paths: readonly string[], signal: AbortSignal): Promise<void> {
  const young: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs < SETTLE_MS) young.push(path);
  }
  if (young.length === 0) return;
  await new Promise<void>((resolve, reject) => {
    const left = new Set(young);
    const conclude = (path: string) => {
      left.delete(path);
      if (left.size === 0) end(resolve);
    };
    const files = createSettledFiles(conclude, conclude);
    const end = (finish: () => void) => {
      files.stop();
      finish();
    };
    for (const path of young) files.add(path);
    signal.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
  });
}
