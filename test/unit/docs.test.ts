import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderReference } from '../../docs/make/render-reference.js';
import { createProgram } from '../../src/cli.js';
import { EXIT_MEANINGS } from '../../src/contract/exit-codes.js';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/reference.md is what the command tree gives (npm run docs makes it anew)', async () => {
  expect(read('reference.md')).toBe(renderReference(await createProgram(async () => {}).describe()));
});

test('docs/exit-codes.md says what every code means', () => {
  const rows = read('exit-codes.md').matchAll(/^\| (\d+) \| ([^|]+) \|/gm);
  const documented = new Map([...rows].map(([, code, meaning]) => [Number(code), meaning?.trim() ?? '']));
  expect([...documented.keys()]).toEqual(EXIT_MEANINGS.map(([code]) => code));
  for (const [code, meaning] of EXIT_MEANINGS) expect(meaning).toContain(documented.get(code)?.split(';')[0]);
});

test('docs/help.txt is what --help prints (npm run docs makes it anew)', async () => {
  let help = '';
  await createProgram(async () => {}).run(['--help'], async (text) => {
    help += text;
  });
  expect(read('help.txt')).toBe(help);
});
