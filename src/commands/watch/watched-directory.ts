import { stat, statfs } from 'node:fs/promises';
import { sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Time between two looks at the directory itself, and between two looks at files where the system tells nothing. */
const LOOK_EVERY_MS = 2_000;

/** File systems whose changes on other machines the kernel does not tell (statfs(2), `f_type`): NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS, Ceph, vboxsf. */
const SILENT_FILE_SYSTEMS = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x5346414f, 0x00c36400, 0x786f4256,
]);
/** Limits of the kernel on what may be watched. */
const OUT_OF_WATCHES = new Set(['ENOSPC', 'EMFILE']);

export interface WatchedDirectoryOptions {
  path: string;
  /** Asks again and again instead of waiting for the system to tell; undefined where the file system decides. */
  polls: boolean | undefined;
  isIgnored(path: string): boolean;
  /** Called with each file that is there, appears or changes. */
  onFile(path: string): void;
  /** Called on every look at the directory. */
  onLook(): void;
  note(message: string): void;
}

export interface WatchedDirectory {
  close(): Promise<void>;
}

/** Watches a directory and those below it. One that goes away is looked for until it comes back. */
export async function watchDirectory(options: WatchedDirectoryOptions): Promise<WatchedDirectory> {
  const { path, note } = options;
  let polls = options.polls ?? (await isSilent(path));
  let watcher: FSWatcher | undefined;
  let identity = await identify(path);
  let isGone = false;
  let isLooking = false;

  function start(): FSWatcher {
    const made = watch(path, {
      usePolling: polls,
      interval: LOOK_EVERY_MS,
      binaryInterval: LOOK_EVERY_MS,
      // A link to a directory may lead in a circle.
      followSymlinks: false,
      // A file that cannot be read is reported as such.
      ignorePermissionErrors: true,
      ignored: (found) => found !== path && options.isIgnored(found),
    });
    made.on('add', (found) => options.onFile(found));
    made.on('change', (found) => options.onFile(found));
    made.on('unlinkDir', (found) => {
      if (found === path) identity = undefined;
    });
    made.on('error', (error) => {
      if (polls || !OUT_OF_WATCHES.has((error as NodeJS.ErrnoException).code ?? '')) return;
      polls = true;
      identity = undefined;
      note(`The system takes no more watches, so ${path} is looked at every ${LOOK_EVERY_MS / 1_000} s.`);
    });
    return made;
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    options.onLook();
    const found = await identify(path);
    if (found !== undefined && found === identity) {
      isLooking = false;
      return;
    }
    // Another directory may be there meanwhile: its files are looked at as those of the first one were.
    await watcher?.close();
    watcher = undefined;
    identity = found;
    if (found === undefined && !isGone) note(`${path} is gone; it is watched again when it comes back.`);
    if (found !== undefined) {
      if (isGone) note(`${path} is back.`);
      watcher = start();
    }
    isGone = found === undefined;
    isLooking = false;
  }

  watcher = start();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return {
    async close() {
      clearInterval(timer);
      await watcher?.close();
    },
  };
}

/** Returns what tells a directory from another one at the same path; undefined where there is none. */
async function identify(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? `${found.dev} ${found.ino} ${found.birthtimeMs}` : undefined;
}

async function isSilent(path: string): Promise<boolean> {
  const found = await statfs(path).catch(() => undefined);
  return found !== undefined && SILENT_FILE_SYSTEMS.has(found.type);
}

/** True when the path is the directory or below it. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}
