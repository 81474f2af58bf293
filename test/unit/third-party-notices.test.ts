import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

interface Package {
  dev?: boolean;
  license?: string;
  hasInstallScript?: boolean;
}
const installed = Object.entries(JSON.parse(read('package-lock.json')).packages as Record<string, Package>)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ''), ...entry }));

test('a package that is not under permissive licences → named in the notices', () => {
  const notices = read('THIRD-PARTY-NOTICES.md');
  const other = installed.filter(({ license = 'MIT' }) => /GPL|MPL|EPL|CDDL/.test(license)).map(({ name }) => name);
  expect(other.length).toBeGreaterThan(0);
  for (const name of other)
    expect(notices).toContain(`\`${name.replace(/^(@img\/sharp-(?:libvips|win32))-.*/, '$1-*')}\``);
  expect(JSON.parse(read('package.json')).files).toContain('THIRD-PARTY-NOTICES.md');
});

test('the packages with an install script → those that the guide names', () => {
  const withScript = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(withScript).toEqual(['@photostructure/sqlite']);
  expect(read('docs/service.md')).toMatch(/One dependency has an install script: `@photostructure\/sqlite`/);
});

test('what the build takes into the programs → named in the notices; what they load → installed with them', () => {
  const names = readdirSync(new URL('../../dist/chunks', import.meta.url)).map((name) => `chunks/${name}`);
  const programs = [...names, 'main.js', 'library/index.js'].map((name) => read(`dist/${name}`));
  const find = (pattern: RegExp) =>
    new Set(programs.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)));
  const taken = find(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm);
  expect(taken).toContain('@modelcontextprotocol/sdk');
  const notices = read('THIRD-PARTY-NOTICES.md').split('## Code in this package')[1];
  for (const name of taken) expect(notices).toContain(`\`${name}\``);
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'));
  const own = Object.keys({ ...dependencies, ...optionalDependencies });
  const loaded = [...find(/^import .* from "((?:@[^/\n]+\/)?[^./"\n][^/"\n]*)/gm)];
  expect(loaded).toContain('fastify');
  for (const name of loaded) if (!isBuiltin(name ?? '')) expect(own).toContain(name);
});
