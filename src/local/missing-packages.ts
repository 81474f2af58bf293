import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { OcrError } from '../contract/ocr-error.js';

const PACKAGE_JSON = new URL('../../package.json', import.meta.url);

/** @throws OcrError LOCAL_UNAVAILABLE naming what is not installed and how to install it */
export function refuseWithoutPackages(): void {
  const missing = findMissingPackages();
  if (missing.length === 0) return;
  throw new OcrError(
    'LOCAL_UNAVAILABLE',
    `The service on this machine is not installed: ${missing.join(', ')} missing`,
    {
      hint: 'npm install --include=optional   (or set OCR_BASE_URL and OCR_API_KEY to use another server)',
    },
  );
}

/**
 * The optional packages that are not installed: all that only the service and its engine need is optional, so that
 * `npm install --omit=optional` gives a small client for other servers.
 */
function findMissingPackages(): string[] {
  const manifest = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8')) as { optionalDependencies?: Record<string, string> };
  const places = createRequire(import.meta.url).resolve.paths('x') ?? [];
  return Object.keys(manifest.optionalDependencies ?? {}).filter(
    (name) => !places.some((place) => existsSync(join(place, name, 'package.json'))),
  );
}
