import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listLanguageFolders } from '../../engine/stages/recognise/languages.js';

/** Limits that the system enforces on a document process. */
export interface Confinement {
  /** Private memory at which allocations fail. It exceeds the watch's limit by the growth between two checks. */
  memoryBytes: number;
  /** Directory of its documents. Beside it the process reads only the tool's own code and language data. */
  readable: readonly string[];
  /** True for test programs, which write marks of their work. */
  mayWrite: boolean;
  /** True when the service has found native Tesseract. */
  mayStartPrograms?: boolean;
}

export const SHELL = '/bin/sh';
const PACKAGE_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Shell script that sets the limits: no core dumps (they would hold documents), no files, few descriptors, bounded memory; no
 * network and no capabilities on systems that allow a name space. RLIMIT_DATA instead of RLIMIT_AS, because WebAssembly
 * reserves 10 GiB of addresses for a memory and touches little of it. No RLIMIT_CPU, because a process reads many documents,
 * and the wall time bounds each of them.
 */
const SCRIPT = `
ulimit -c 0
ulimit -n 256
ulimit -d "$1"
[ "$2" = 1 ] || ulimit -f 0
shift 2
unshare --user --net true 2>/dev/null && exec unshare --user --net -- "$@"
exec "$@"`;

/** Options of `fork` for a confined program. The shell becomes the program, so process id and channel stay. Linux only. */
export function confine({ memoryBytes, readable, mayWrite, mayStartPrograms = false }: Confinement): {
  execPath: string;
  execArgv: string[];
} {
  if (process.platform !== 'linux' || !existsSync(SHELL)) return { execPath: process.execPath, execArgv: [] };
  const memoryKib = String(Math.ceil(memoryBytes / 1024));
  const flags = mayWrite ? [] : readOnlyFlags(readable, mayStartPrograms);
  return {
    execPath: SHELL,
    execArgv: ['-c', SCRIPT, 'sh', memoryKib, mayWrite ? '1' : '0', process.execPath, ...flags],
  };
}

/**
 * Options of Node's permission model: the process reads only named paths, writes nothing, and starts no programs except native
 * Tesseract. The model binds neither native code nor programs; they inherit the limits of the system.
 */
function readOnlyFlags(readable: readonly string[], mayStartPrograms: boolean): string[] {
  const model = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const paths = [...listCodeFolders(), ...listLanguageFolders(process.env), ...readable];
  // sharp reads ldd to detect the C library.
  const reads = [...new Set(paths.map(withoutStar)), '/usr/bin/ldd'].map((path) => `--allow-fs-read=${path}`);
  return [model, '--allow-worker', '--allow-addons', ...(mayStartPrograms ? ['--allow-child-process'] : []), ...reads];
}

/** Returns the folder above a path with a star: Node reads a star as a wildcard, and one between two paths ends Node 20. */
function withoutStar(path: string): string {
  return path.includes('*') ? withoutStar(dirname(path)) : path;
}

/** Returns the package and the directories above it that may hold its dependencies. */
function listCodeFolders(): string[] {
  const folders = [PACKAGE_ROOT];
  for (let at = PACKAGE_ROOT; at !== dirname(at); at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) folders.push(modules, realpathSync(modules));
  }
  return folders;
}
