import { readFileSync } from 'node:fs';
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

test('the bundle of the SDK of the Model Context Protocol → each package in it is named, and none is loaded but ajv', () => {
  const bundle = read('dist/commands/mcp/sdk.js');
  const packages = new Set(
    [...bundle.matchAll(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(([, name]) => name),
  );
  expect(packages).toContain('@modelcontextprotocol/sdk');
  const notices = read('THIRD-PARTY-NOTICES.md').split('## Code in this package')[1];
  for (const name of packages) expect(notices).toContain(`\`${name}\``);
  const loaded = [...bundle.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name);
  expect(loaded.filter((name) => !name?.startsWith('node:'))).toEqual(['ajv']);
});
