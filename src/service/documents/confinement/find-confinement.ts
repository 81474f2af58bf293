import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { minimalEnvironment } from '../minimal-environment.js';
import type { Isolation } from './isolation.js';
import {
  boundProcesses,
  enterRoot,
  GUARD,
  landlock,
  limitCommand,
  NAMESPACES,
  NETWORK,
  type ProcessLimits,
  SHELL,
} from './layers.js';
import { createMinimalRoot, type MinimalRoot, type VisiblePath } from './minimal-root.js';
import { listVisiblePaths } from './readable-paths.js';

/** The way in which this system confines programs, and what that keeps native code from. */
export interface SystemConfinement {
  isolation: Isolation;
  /** Messages of the attempts that failed, for the operator. */
  failures: readonly string[];
  /** Returns the command that runs `command` confined; `room` is the directory of its documents. */
  wrap(command: readonly string[], room: string, limits: ProcessLimits): string[];
}

export interface ConfinementOptions {
  /** The data directory. Its mount points go to `confinement/`, and nothing that contains it is ever shown. */
  dataDir: string;
  /** Programs that a document process starts. */
  programs: readonly string[];
  /** Folders with the code of test programs. */
  furtherCode?: readonly string[];
}

type Layer = 'root' | 'namespaces' | 'network' | 'none';

/** The parts of an attempt. Each works on some systems only. */
interface Composition {
  hasGuard: boolean;
  layer: Layer;
  hasLandlock: boolean;
}

const TRIAL_TIMEOUT_MS = 10_000;
const TRIAL_LIMITS = { memoryBytes: 2 ** 32, mayWrite: false };

/** Systems without these means. */
export const UNCONFINED: SystemConfinement = {
  isolation: { files: false, network: false, sockets: false, processes: false, memory: false },
  failures: [],
  wrap: (command) => [...command],
};

/**
 * Finds the strongest confinement by trying it with the programs that it is for. It is the same for all processes.
 * @throws errors of the file system, when the data directory cannot be written
 */
export async function findConfinement(options: ConfinementOptions): Promise<SystemConfinement> {
  if (process.platform !== 'linux' || !existsSync(SHELL)) return UNCONFINED;
  const paths = await listVisiblePaths(options.programs, options.furtherCode ?? []);
  const directory = join(options.dataDir, 'confinement');
  const compose = createComposer(paths, createMinimalRoot(directory, paths, options.dataDir));
  const room = join(directory, 'trial');
  mkdirSync(room, { mode: 0o700 });
  const failures = new Set<string>();
  const works = async (composition: Composition) => {
    const failure = await attempt(options.programs, (command) => compose(composition, command, room, TRIAL_LIMITS));
    if (failure !== undefined) failures.add(failure);
    return failure === undefined;
  };
  const chosen = await choose(works);
  return {
    isolation: describeIsolation(chosen),
    failures: [...failures],
    wrap: (command, itsRoom, limits) => {
      // A file system without a writable place, and process ids of its own, would hide what test programs leave behind.
      const layer = limits.mayWrite && chosen.layer !== 'none' ? 'network' : chosen.layer;
      const hasLandlock = chosen.hasLandlock && !limits.mayWrite;
      return compose({ ...chosen, layer, hasLandlock }, command, itsRoom, limits);
    },
  };
}

async function choose(works: (composition: Composition) => Promise<boolean>): Promise<Composition> {
  const full: Composition = { hasGuard: true, layer: 'root', hasLandlock: false };
  if (await works(full)) return full;
  const hasGuard = await works({ hasGuard: true, layer: 'none', hasLandlock: false });
  let layer: Layer = 'none';
  for (const candidate of ['namespaces', 'network'] as const) {
    if (layer === 'none' && (await works({ hasGuard, layer: candidate, hasLandlock: false }))) layer = candidate;
  }
  const hasLandlock = hasGuard && (await works({ hasGuard, layer, hasLandlock: true }));
  return { hasGuard, layer, hasLandlock };
}

type Compose = (composition: Composition, command: readonly string[], room: string, limits: ProcessLimits) => string[];

function createComposer(paths: readonly VisiblePath[], root: MinimalRoot): Compose {
  const readable = paths.map(({ path }) => path);
  const enter: Record<Layer, (room: string) => string[]> = {
    root: (room) => enterRoot(root.describeMounts(room), root.directory),
    namespaces: () => [...NAMESPACES, ...boundProcesses()],
    network: () => NETWORK,
    none: () => [],
  };
  return ({ hasGuard, layer, hasLandlock }, command, room, limits) => [
    ...limitCommand(limits),
    ...(hasGuard ? [...GUARD, '--'] : []),
    ...enter[layer](room),
    ...(hasLandlock ? landlock([...readable, room]) : []),
    ...command,
  ];
}

/** Starts Node and each program once. Returns the reason of a failure. */
async function attempt(
  programs: readonly string[],
  wrap: (command: readonly string[]) => string[],
): Promise<string | undefined> {
  const runs = [process.execPath, ...programs].map(async (program) => {
    const [file = '', ...args] = wrap([program, '--version']);
    await promisify(execFile)(file, args, {
      env: minimalEnvironment(process.env),
      timeout: TRIAL_TIMEOUT_MS,
      windowsHide: true,
    });
  });
  const outcomes = await Promise.allSettled(runs);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return undefined;
  const { stderr = '', message = '' } = failed.reason as { stderr?: string; message?: string };
  return firstLine(stderr) ?? firstLine(message) ?? 'failed';
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}

function describeIsolation({ layer, hasLandlock }: Composition): Isolation {
  return {
    files: layer === 'root' || hasLandlock,
    network: layer !== 'none',
    sockets: layer === 'root',
    processes: layer === 'root' || layer === 'namespaces',
    // A process may not read the memory of one in a parent user namespace, nor of one that Landlock restricts less.
    memory: layer !== 'none' || hasLandlock || isTracingRestricted(),
  };
}

/** True where a process may trace its own children only (Yama). That does not bind root. */
function isTracingRestricted(): boolean {
  try {
    return process.getuid?.() !== 0 && Number(readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8')) >= 1;
  } catch {
    return false;
  }
}
