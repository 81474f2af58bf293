import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { backgroundLifetime, childLifetime } from '../../../src/system/child-lifetime.js';

const src = fileURLToPath(new URL('../../../src', import.meta.url));

test('a child that ends with its parent → leads a group where there are groups, and no window', () => {
  // On Windows a detached child would not be in the job that ends with its parent.
  expect(childLifetime('win32')).toEqual({ detached: false, windowsHide: true });
  for (const platform of ['linux', 'darwin'] as const)
    expect(childLifetime(platform)).toEqual({ detached: true, windowsHide: true });
  expect(backgroundLifetime()).toEqual({ detached: true, windowsHide: true });
});

const calls = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    if (!text.includes('node:child_process')) return [];
    return [...text.matchAll(/\b(?:spawn|spawnSync|fork|execFile|execFileSync)\)?\(/g)].map(
      ({ index }) => [file, text.slice(index, text.indexOf(';', index))] as const,
    );
  });

test('the calls that start programs → found', () => {
  expect(calls.length).toBeGreaterThanOrEqual(6);
});

test.each(calls)('%s → starts its program without a console window', (_file, text) => {
  expect(text).toMatch(/windowsHide: true|\.\.\.(?:child|background)Lifetime\(\)/);
});
