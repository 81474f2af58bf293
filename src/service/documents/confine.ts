import { dirname } from 'node:path';
import type { SystemConfinement } from './confinement/find-confinement.js';
import { listCodePaths, listDataPaths } from './confinement/readable-paths.js';
import { readUnusedBytes } from './unused-memory.js';

/** Private memory of a process before its first document. */
const BASE_MEMORY_BYTES = 256 * 1024 * 1024;

/** The limits of a document process. */
export interface Confinement {
  system: SystemConfinement;
  /** Private memory at which allocations fail. It exceeds the watch's limit by the growth between two checks. */
  memoryBytes: number;
  /** Directory of its documents. Beside it the process reads only the tool's own code and language data. */
  room: string;
  /** True for test programs, which write marks of their work. */
  mayWrite: boolean;
  /** True when the service has found native Tesseract. */
  mayStartPrograms?: boolean;
}

/** Returns the bound on private memory of a process whose documents may take `documentBytes`. */
export function boundPrivateMemory(documentBytes: number): number {
  // Node reserves twice as much for a moment while it starts.
  return documentBytes * 2 + BASE_MEMORY_BYTES + readUnusedBytes() * 2;
}

/** Options of `fork` for a confined program, given as `program`. Each part of the command becomes the next by exec. */
export function confine(
  { system, memoryBytes, room, mayWrite, mayStartPrograms = false }: Confinement,
  program: string,
): { execPath: string; execArgv: string[] } {
  const flags =
    mayWrite || process.platform !== 'linux' ? [] : readOnlyFlags([room, dirname(program)], mayStartPrograms);
  const [execPath = '', ...execArgv] = system.wrap([process.execPath, ...flags], room, { memoryBytes, mayWrite });
  return { execPath, execArgv };
}

/**
 * Options of Node's permission model, the second wall: the process reads only named paths, writes nothing, and starts no
 * programs except native Tesseract. The model binds neither native code nor programs.
 */
function readOnlyFlags(readable: readonly string[], mayStartPrograms: boolean): string[] {
  const model = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const paths = [...listCodePaths(), ...listDataPaths(), ...readable];
  const reads = [...new Set(paths.map(withoutStar))].map((path) => `--allow-fs-read=${path}`);
  return [model, '--allow-worker', '--allow-addons', ...(mayStartPrograms ? ['--allow-child-process'] : []), ...reads];
}

/** Returns the folder above a path with a star: Node reads a star as a wildcard, and one between two paths ends Node 20. */
function withoutStar(path: string): string {
  return path.includes('*') ? withoutStar(dirname(path)) : path;
}
