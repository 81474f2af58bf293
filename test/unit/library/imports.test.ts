import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = new URL('../../../src/', import.meta.url);

/** Follows imports of values from a file on; with `dynamic`, those that wait for a call too. */
function reach(start: string, { dynamic }: { dynamic: boolean }) {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const visit = (url: URL) => {
    if (files.has(url.href)) return;
    files.add(url.href);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const fixed = [...text.matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)'/gms)];
    const later = dynamic ? [...text.matchAll(/import\('([^']+)'\)/g)] : [];
    for (const [, target = ''] of [...fixed, ...later]) {
      if (target.startsWith('.')) visit(new URL(target.replace(/\.js$/, '.ts'), url));
      else if (!target.startsWith('node:')) packages.add(target);
    }
  };
  visit(new URL(start, SRC));
  return { folders: new Set([...files].map((url) => url.slice(SRC.href.length).split('/')[0])), packages };
}

test('importing the library → only its own files and the contract, no package', () => {
  const { folders, packages } = reach('library/index.ts', { dynamic: false });
  expect([...folders].sort()).toEqual(['contract', 'library']);
  expect([...packages]).toEqual([]);
});

test('calling it → neither the engine nor the service, nor a package of theirs', () => {
  const { folders, packages } = reach('library/index.ts', { dynamic: true });
  for (const part of ['engine', 'service', 'store', 'functions', 'commands', 'ledger'])
    expect(folders).not.toContain(part);
  const manifest = JSON.parse(readFileSync(new URL('../package.json', SRC), 'utf8'));
  for (const name of packages) expect(Object.keys(manifest.dependencies)).toContain(name.split('/')[0]);
});
