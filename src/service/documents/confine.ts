import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listLanguageFolders } from '../../engine/stages/recognise/languages.js';

/** What the system itself holds a document process to, whatever happens inside it. */
export interface Confinement {
  /** Private memory at which its allocations fail: above the mark at which it is ended, for what it takes between two looks. */
  memoryBytes: number;
  /** Where its documents are put; beside them it reads the tool's own code and language data, and nothing else. */
  readable: readonly string[];
  /** A test's program leaves marks of what it did. */
  mayWrite: boolean;
  /** For native Tesseract, where the service has found it. */
  mayStartPrograms?: boolean;
}

export const SHELL = '/bin/sh';
const PACKAGE_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * No core dumps (they would hold documents), no files, few descriptors, bounded memory; no network and no capabilities where
 * the system lets us make a name space. RLIMIT_DATA and not RLIMIT_AS: WebAssembly reserves 10 GiB of addresses a memory
 * and touches little of it. No RLIMIT_CPU: a process reads many documents, and the wall time bounds each of them.
 */
const SCRIPT = `
ulimit -c 0
ulimit -n 256
ulimit -d "$1"
[ "$2" = 1 ] || ulimit -f 0
shift 2
unshare --user --net true 2>/dev/null && exec unshare --user --net -- "$@"
exec "$@"`;

/** How `fork` starts a program so confined. The shell becomes the program: the process id and the channel stay. Linux only. */
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
 * Node's permission model: reads where it is told to, writes nothing, starts no programs unless native Tesseract is one.
 * Native code is not held by it, nor are programs: the limits of the system are, which they inherit.
 */
function readOnlyFlags(readable: readonly string[], mayStartPrograms: boolean): string[] {
  const model = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const paths = [...listCodeFolders(), ...listLanguageFolders(process.env), ...readable];
  // sharp looks into ldd for the C library that it runs on.
  const reads = [...new Set(paths.map(withoutStar)), '/usr/bin/ldd'].map((path) => `--allow-fs-read=${path}`);
  return [model, '--allow-worker', '--allow-addons', ...(mayStartPrograms ? ['--allow-child-process'] : []), ...reads];
}

/** A star is a wildcard to Node, and in the middle of two paths it ends Node 20: the folder above it is named instead. */
function withoutStar(path: string): string {
  return path.includes('*') ? withoutStar(dirname(path)) : path;
}

/** The package, and wherever its dependencies may have been put above it. */
function listCodeFolders(): string[] {
  const folders = [PACKAGE_ROOT];
  for (let at = PACKAGE_ROOT; at !== dirname(at); at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) folders.push(modules, realpathSync(modules));
  }
  return folders;
}
