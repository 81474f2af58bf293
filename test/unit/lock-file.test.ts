import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';

interface LockedPackage {
  engines?: { node?: string };
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
  resolved?: string;
}
const root = new URL('../../', import.meta.url);
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<
  string,
  Record<string, string>
>;

test('packages that a user installs → run on our oldest Node', () => {
  // npm leaves out an optional package whose engines do not fit, without a word, and what needs it with it.
  const tooNew = Object.entries(lock.packages)
    .filter(([path, found]) => path !== '' && !found.dev && found.engines?.node !== undefined)
    .filter(([, found]) => !satisfies('20.19.0', found.engines?.node ?? '*'))
    .map(([path, found]) => `${path} needs ${found.engines?.node}`);
  expect(tooNew).toEqual([]);
});

test('the lock file → no registry; the manifest → exact versions', () => {
  expect(Object.entries(lock.packages).filter(([, found]) => found.resolved?.startsWith('http'))).toEqual([]);
  for (const group of ['dependencies', 'optionalDependencies', 'devDependencies']) {
    for (const [name, version] of Object.entries(manifest[group] ?? {}))
      expect(version, name).toMatch(/^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/);
  }
});

test('two packages with a program tsc → the one of the build is the newer, typescript', () => {
  const program = realpathSync(fileURLToPath(new URL('node_modules/.bin/tsc', root)));
  expect(program).toBe(realpathSync(fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))));
});

test('optional packages of every platform → in the lock file', () => {
  // npm writes a lock without what it cannot find for other platforms, and `npm ci` then refuses it everywhere.
  const missing = Object.entries(lock.packages).flatMap(([path, found]) =>
    Object.keys(found.optionalDependencies ?? {}).filter(
      (name) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});
