import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const settings = readFileSync(fileURLToPath(new URL('../../biome.json', import.meta.url)), 'utf8');
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const PAGE = 'src/service/portal/pages/example.tsx';
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ocr-lint-test-'));
  writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...JSON.parse(settings), vcs: { enabled: false } }));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  {
    what: 'HTML that is set as text',
    file: PAGE,
    text: `export const Example = () => <p dangerouslySetInnerHTML={{ __html: '<b>' }} />;\n`,
    outcome: 'noDangerouslySetInnerHtml',
  },
  {
    what: 'the document of a browser in a page of the server',
    file: PAGE,
    text: 'export const readTitle = () => document.title;\n',
    outcome: 'noRestrictedGlobals',
  },
  {
    what: 'the name of a window in the service',
    file: 'src/service/example.ts',
    text: 'export const read = () => name;\n',
    outcome: 'noRestrictedGlobals',
  },
  {
    what: 'an own name',
    file: 'src/service/example.ts',
    text: 'export const read = (name: string) => name;\n',
    outcome: 'no fault',
  },
  {
    what: 'the document in a module for browsers',
    file: 'src/service/portal/browser/example.ts',
    text: 'export const readTitle = () => document.title;\n',
    outcome: 'no fault',
  },
])('$what → $outcome', ({ file, text, outcome }) => {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', file], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(outcome === 'no fault' ? 0 : 1);
  if (outcome !== 'no fault') expect(stdout + stderr).toContain(outcome);
});
