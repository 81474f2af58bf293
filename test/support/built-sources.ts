import { existsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const [SOURCES, BUILT] = ['src', 'dist'].map(
  (folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)) + sep,
) as [string, string];

/**
 * Gives tests the built file of a module of src/ that they import: Node loads it itself, once for all files of a process.
 * Transformed modules run slower, and where a test needs dist/ too each would be compiled and optimised twice.
 */
export function useBuiltSources(): Plugin {
  return {
    name: 'built-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return;
      const path = resolve(dirname(importer), source);
      if (!path.startsWith(SOURCES)) return;
      const built = BUILT + path.slice(SOURCES.length);
      return existsSync(built) ? built : undefined;
    },
  };
}
