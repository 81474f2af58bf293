import {
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** A file or directory that a document process sees, under its own path. */
export interface VisiblePath {
  path: string;
  /** True for programs and libraries. */
  isExecutable?: boolean;
}

/** The file system of document processes: read-only mounts of a few paths, and nothing else. */
export interface MinimalRoot {
  /** Directory that becomes `/`. */
  directory: string;
  /** Returns the path of an fstab(5) for one process, which also sees `room`. */
  describeMounts(room: string): string;
}

interface Mount {
  path: string;
  isExecutable: boolean;
}

/**
 * Creates the mount points under `directory`: empty directories and files, and the symbolic links on the way. Mounts exist only
 * in the mount namespace of each process. Paths that do not exist are left out, and so are paths that contain `secret`.
 */
export function createMinimalRoot(directory: string, paths: readonly VisiblePath[], secret: string): MinimalRoot {
  const root = join(directory, 'root');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const protectedPath = realpathSync(secret);
  const shared = paths.flatMap(({ path, isExecutable = false }) => {
    const real = makeMountPoint(root, path);
    return real === undefined || isInside(protectedPath, real) ? [] : [{ path: real, isExecutable }];
  });
  const tables = new Map<string, string>();
  return {
    directory: root,
    describeMounts: (room) => {
      const known = tables.get(room);
      if (known !== undefined) return known;
      const own = makeMountPoint(root, room) ?? room;
      const fstab = join(directory, `${basename(room)}.fstab`);
      writeFileSync(fstab, formatFstab(root, orderMounts([...shared, { path: own, isExecutable: false }])));
      tables.set(room, fstab);
      return fstab;
    },
  };
}

/** Parents come before children. A child that its parent shows with the same rights needs no mount. */
export function orderMounts(mounts: readonly Mount[]): Mount[] {
  const kept: Mount[] = [];
  for (const mount of mounts.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const parent = kept.findLast(({ path }) => isInside(mount.path, path));
    if (parent === undefined || (mount.isExecutable && !parent.isExecutable)) kept.push(mount);
  }
  return kept;
}

/** The options of a mount's parent may only be added to in a user namespace, so each mount has all of them. */
function formatFstab(root: string, mounts: readonly Mount[]): string {
  const line = (from: string, to: string, options: string) =>
    `${escapeField(from)} ${escapeField(to)} none ${options},ro,nosuid,nodev 0 0\n`;
  return [
    line(root, root, 'bind,noexec'),
    ...mounts.map(({ path, isExecutable }) => line(path, root + path, isExecutable ? 'rbind' : 'rbind,noexec')),
  ].join('');
}

/** Fields of fstab(5) end at white space. */
function escapeField(text: string): string {
  return text.replace(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** Returns the path without symbolic links; undefined when nothing exists there. */
function makeMountPoint(root: string, path: string): string | undefined {
  const names = path.split(sep).filter(Boolean);
  let at: string = sep;
  for (const [index, name] of names.entries()) {
    const next = join(at, name);
    const found = lstatSync(next, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) {
      const target = readlinkSync(next);
      makeLink(root + next, target);
      return makeMountPoint(root, join(resolve(at, target), ...names.slice(index + 1)));
    }
    at = next;
  }
  const isDirectory = statSync(at).isDirectory();
  mkdirSync(isDirectory ? root + at : root + dirname(at), { recursive: true, mode: 0o700 });
  if (!isDirectory) writeFileSync(root + at, '');
  return at;
}

function makeLink(path: string, target: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  symlinkSync(target, path);
}

/** True for `folder` itself and everything under it. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
