import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quote } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @throws OcrError LOCAL_UNAVAILABLE naming what is not installed and how to install it, or what to do `otherwise` */
export function refuseWithoutPackages(otherwise?: string): void {
  const missing = findMissingPackages();
  if (missing.length === 0) return;
  throw new OcrError(
    'LOCAL_UNAVAILABLE',
    `The service on this machine is not installed: ${missing.join(', ')} missing`,
    {
      hint: `${INSTALL_OPTIONAL}${otherwise === undefined ? '' : `   (or ${otherwise})`}`,
    },
  );
}

/**
 * The optional packages that are not installed: all that only the service and its engine need is optional, so that
 * `npm install --omit=optional` gives a small client for other servers.
 */
function findMissingPackages(): string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies?: Record<string, string>;
  };
  return Object.keys(manifest.optionalDependencies ?? {}).filter((name) => !isInstalled(name));
}

/** True when a package is installed where this program finds it. */
export function isInstalled(name: string): boolean {
  const places = createRequire(import.meta.url).resolve.paths('x') ?? [];
  return places.some((place) => existsSync(join(place, name, 'package.json')));
}

/** The command that installs the optional packages. Without `--omit=dev` npm would add what only developers need. */
export const INSTALL_OPTIONAL = `npm install --include=optional --omit=dev --prefix ${quote(ROOT)}`;

/** True when this installation has everything that the service on this machine needs. */
export function canServe(): boolean {
  return findMissingPackages().length === 0;
}
