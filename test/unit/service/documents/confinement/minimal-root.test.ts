import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMinimalRoot, orderMounts } from '../../../../../dist/service/documents/confinement/minimal-root.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-root-test-'));
  for (const name of ['code/lib', 'languages', 'data/reading/run-0', 'with space']) make(name);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const make = (name: string) => mkdirSync(join(directory, name), { recursive: true });
const at = (name: string) => join(directory, name);

/** Creates a root that shows `names`; returns its directory and its mounts: the path and the options of each. */
function create(names: string[], room = 'data/reading/run-0') {
  const paths = names.map((name) => ({ path: at(name), isExecutable: name.startsWith('code') }));
  const root = createMinimalRoot(at('data/confinement'), paths, at('data'));
  const lines = readFileSync(root.describeMounts(at(room)), 'utf8')
    .trim()
    .split('\n');
  const mounts = lines.map((line) => line.split(' ')).map(([from = '', to, , options]) => ({ from, to, options }));
  return { top: root.directory, mounts };
}

test('paths → read-only mounts under their own names; only code can be executed', () => {
  const { top, mounts } = create(['code', 'languages']);
  expect(mounts).toEqual([
    { from: top, to: top, options: 'bind,noexec,ro,nosuid,nodev' },
    { from: at('code'), to: top + at('code'), options: 'rbind,ro,nosuid,nodev' },
    { from: at('data/reading/run-0'), to: top + at('data/reading/run-0'), options: 'rbind,noexec,ro,nosuid,nodev' },
    { from: at('languages'), to: top + at('languages'), options: 'rbind,noexec,ro,nosuid,nodev' },
  ]);
  for (const { to = '' } of mounts) expect(lstatSync(to).isDirectory()).toBe(true);
});

test('a folder that contains the data directory → never shown', () => {
  for (const name of ['.', 'data']) {
    const { mounts } = create([name, 'code']);
    expect(mounts.map(({ from }) => from)).not.toContain(join(directory, name));
  }
});

test('symbolic links → links in the root, and a mount at their target', () => {
  symlinkSync('code', at('old-code'));
  symlinkSync(at('languages'), at('code/absolute'));
  const { top, mounts } = create(['old-code/lib', 'code/absolute']);
  expect(readlinkSync(top + at('old-code'))).toBe('code');
  expect(readlinkSync(top + at('code/absolute'))).toBe(at('languages'));
  expect(mounts.map(({ from }) => from)).toEqual([top, at('code/lib'), at('data/reading/run-0'), at('languages')]);
});

test('a file → an empty file as its mount point; a missing path → no mount', () => {
  writeFileSync(at('program'), 'x');
  const { top, mounts } = create(['program', 'missing']);
  expect(readFileSync(top + at('program'), 'utf8')).toBe('');
  expect(mounts.map(({ from }) => from)).toEqual([top, at('data/reading/run-0'), at('program')]);
});

test('white space in a path → escaped', () => {
  expect(create(['with space']).mounts.map(({ from }) => from)).toContain(at('with\\040space'));
});

test('nested paths → parents first; a child only where it has more rights', () => {
  const mount = (path: string, isExecutable: boolean) => ({ path, isExecutable });
  const program = mount('/usr/bin/x', true);
  expect(orderMounts([program, mount('/usr', false), mount('/usr/share', false)])).toEqual([
    mount('/usr', false),
    program,
  ]);
  expect(orderMounts([mount('/usr/lib/a', true), mount('/usr/lib', true), mount('/usr/lib-b', true)])).toEqual([
    mount('/usr/lib', true),
    mount('/usr/lib-b', true),
  ]);
});
