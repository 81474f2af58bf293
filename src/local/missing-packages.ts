import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PACKAGE_JSON = new URL('../../package.json', import.meta.url);

/**
 * The optional packages that are not installed: all that only the service and its engine need is optional, so that
 * `npm install --omit=optional` gives a small client for other servers.
 */
export function findMissingPackages(): string[] {
  const manifest = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8')) as { optionalDependencies?: Record<string, string> };
  const places = createRequire(import.meta.url).resolve.paths('x') ?? [];
  return Object.keys(manifest.optionalDependencies ?? {}).filter(
    (name) => !places.some((place) => existsSync(join(place, name, 'package.json'))),
  );
}
