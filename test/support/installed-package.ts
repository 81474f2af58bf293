import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface LockedPackage {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

export interface InstalledPackage {
  /** The directory of a program that has the package installed. */
  dir: string;
  remove(): void;
}

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Packs the package and returns the path of the file. */
function packInto(dir: string): string {
  const packed = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', dir], ROOT)) as Array<{
    filename: string;
  }>;
  return join(dir, packed[0]?.filename ?? '');
}

/** Packs the package and unpacks it beside the packages of this checkout, the optional ones too; `dir` is the package itself. */
export function unpackPackage(): InstalledPackage {
  const dir = mkdtempSync(join(tmpdir(), 'ocr-package-'));
  execFileSync('tar', ['-xf', packInto(dir), '-C', dir]);
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'), 'junction');
  return { dir: join(dir, 'package'), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/**
 * Packs the package and installs it, without the optional packages, into an empty directory. npm finds the packages that it
 * needs there already, so it asks no registry.
 */
export function installPackage(): InstalledPackage {
  const dir = mkdtempSync(join(tmpdir(), 'ocr-package-'));
  const packed = packInto(dir);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || optional || devOptional) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    cpSync(join(ROOT, path), join(dir, path), { recursive: true });
  }
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'program', version: '1.0.0', type: 'module' }));
  npm(['install', '--offline', '--no-audit', '--no-fund', '--omit=optional', packed], dir);
  // A TypeScript program installs the types of Node too.
  mkdirSync(join(dir, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
