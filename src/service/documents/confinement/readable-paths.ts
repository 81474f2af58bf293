import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listLanguageFolders } from '../../../engine/stages/recognise/languages.js';
import type { VisiblePath } from './minimal-root.js';

const PACKAGE_ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The folder of the dynamic loader, under the name that programs have for it. */
const LOADER_FOLDER = '/lib64';
/** Node's own code in Debian's package, the settings of OpenSSL, and the file that sharp reads to detect the C library. */
const FILES_OF_NODE = ['/usr/share/nodejs', '/etc/ssl/openssl.cnf', '/usr/lib/ssl/openssl.cnf', '/usr/bin/ldd'];
const LDD_TIMEOUT_MS = 5_000;

/** Returns the code of the tool, with the directories that may hold its dependencies. */
export function listCodePaths(): string[] {
  const paths = [join(PACKAGE_ROOT, 'dist'), join(PACKAGE_ROOT, 'package.json')];
  for (let at = PACKAGE_ROOT; at !== dirname(at); at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) paths.push(modules, realpathSync(modules));
  }
  return paths;
}

/** Returns the paths beside the code that Node and the engine read. */
export function listDataPaths(): string[] {
  return [...listLanguageFolders(process.env), ...FILES_OF_NODE];
}

/** Returns all paths that a document process needs, with `programs` that it starts and further code of tests. */
export async function listVisiblePaths(
  programs: readonly string[],
  furtherCode: readonly string[],
): Promise<VisiblePath[]> {
  const libraries = await Promise.all(programs.map(listLibraries));
  const executable = [
    process.execPath,
    ...programs,
    ...listCodePaths(),
    ...furtherCode,
    LOADER_FOLDER,
    ...withOldNames([...new Set([...listLoadedFolders(), ...libraries.flat()])]),
    ...listPathsOfLoader(),
  ];
  return [
    ...executable.map((path) => ({ path, isExecutable: true })),
    ...[...listDataPaths(), '/etc/ld.so.cache'].map((path) => ({ path })),
  ];
}

/** Returns the folders of the libraries that this process has loaded (proc(5), maps). */
function listLoadedFolders(): string[] {
  const files = readFileSync('/proc/self/maps', 'utf8').matchAll(/ r-xp \S+ \S+ \S+ +(\/.+)$/gm);
  return [...files].flatMap(([, path]) => (path?.includes('.so') ? [dirname(path)] : []));
}

/** Adds `/lib/…` to `/usr/lib/…`: links between libraries use both names. */
function withOldNames(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    folder.startsWith('/usr/lib') ? [folder, folder.slice('/usr'.length)] : [folder],
  );
}

function listPathsOfLoader(): string[] {
  return (process.env.LD_LIBRARY_PATH ?? '').split(delimiter).filter(isAbsolute);
}

/** Returns the folders of a program's libraries; empty for a static program, or a system without ldd. */
async function listLibraries(program: string): Promise<string[]> {
  const listed = await promisify(execFile)('ldd', [program], { timeout: LDD_TIMEOUT_MS, windowsHide: true }).catch(
    () => ({ stdout: '' }),
  );
  return [...listed.stdout.matchAll(/(?:=>\s+|^\s+)(\/\S+) \(0x/gm)].map(([, path]) => dirname(path ?? ''));
}
