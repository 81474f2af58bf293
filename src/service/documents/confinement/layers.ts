import { statSync } from 'node:fs';
import { availableParallelism, release } from 'node:os';

export const SHELL = '/bin/sh';

/** Limits on one process, which all that it starts inherit. */
export interface ProcessLimits {
  /** Private memory at which allocations fail. */
  memoryBytes: number;
  mayWrite: boolean;
}

/** First version of Linux that counts RLIMIT_NPROC for each user namespace; older ones count all processes of the user. */
const NPROC_PER_NAMESPACE = [5, 14] as const;
/** Threads of Node, of libvips and of the pages that are read at once, and as many programs: about a dozen for each core. */
const MIN_THREADS = 128;
const THREADS_PER_CORE = 32;

/**
 * Limits that need nothing but a shell: first in line when memory runs out, no core dumps (they would hold documents), few
 * descriptors, bounded memory, no files. RLIMIT_DATA instead of RLIMIT_AS, because WebAssembly reserves 10 GiB of addresses for
 * a memory and touches little of it. No RLIMIT_CPU, because a process reads many documents, and the wall time bounds each.
 */
const LIMITS = `
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0
ulimit -n 256
ulimit -d "$1"
[ "$2" = 1 ] || ulimit -f 0
shift 2
exec "$@"`;
const MOUNT = 'mount --all --fstab "$0" && exec "$@"';

export function limitCommand({ memoryBytes, mayWrite }: ProcessLimits): string[] {
  return [SHELL, '-c', LIMITS, 'sh', String(Math.ceil(memoryBytes / 1024)), mayWrite ? '1' : '0'];
}

/** No new privileges, and death with the service even when nothing in the process notices that it is gone. */
export const GUARD = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'];

/** An empty network; everything else is shared. BusyBox can do this. */
export const NETWORK = ['unshare', '--user', '--net', '--'];

/** Namespaces without a file system: its own network, IPC, and processes, all of which die with the first. */
export const NAMESPACES = ['unshare', '--user', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--'];

/**
 * The same with a file system of its own. The second user namespace owns none of the others, so that the mounts are beyond the
 * program. It maps no user, so that exec drops every capability. A changed root forbids further user namespaces (the kernel's
 * create_user_ns), and leaving it takes a capability. There is no /proc: it would show the service, or need a right that
 * containers withhold.
 */
export function enterRoot(fstab: string, root: string): string[] {
  const outer = [
    'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '--net',
    '--ipc',
    '--pid',
    '--fork',
    '--kill-child',
  ];
  const inner = ['unshare', '--user', `--root=${root}`, '--'];
  return [...outer, '--', SHELL, '-c', MOUNT, fstab, ...boundProcesses(), ...inner];
}

/** Bounds the threads of all processes in a namespace. The kernel exempts root. */
export function boundProcesses(): string[] {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  if (major < NPROC_PER_NAMESPACE[0] || (major === NPROC_PER_NAMESPACE[0] && minor < NPROC_PER_NAMESPACE[1])) return [];
  const limit = MIN_THREADS + THREADS_PER_CORE * availableParallelism();
  return ['prlimit', `--nproc=${limit}`, '--'];
}

/** Landlock (setpriv of util-linux 2.40, Linux 5.13): reading and executing under these paths, no other access to files. */
export function landlock(paths: readonly string[]): string[] {
  const rules = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    const access = found.isDirectory() ? 'read-file,execute,read-dir' : 'read-file,execute';
    return ['--landlock-rule', `path-beneath:${access}:${path}`];
  });
  return ['setpriv', '--landlock-access', 'fs', ...rules, '--'];
}
