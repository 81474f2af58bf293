import { expect, test } from 'vitest';
import { PLAIN_STYLE } from '../../../src/io/style.js';
import { renderTable } from '../../../src/io/table.js';

const sink = (isTerminal: boolean) => ({ isTerminal, columns: 80, isClosed: false, write: async () => {} });
const rows = [
  ['one', 'a\tb\nc'],
  ['two', '\x1b[31m'],
];

test('in a pipe: tab-separated, no header, one row a line', async () => {
  expect(await renderTable(['Name', 'Value'], rows, sink(false), async () => PLAIN_STYLE)).toBe(
    'one\ta b c\ntwo\t\x1b[31m\n',
  );
  expect(await renderTable(['Name'], [], sink(false), async () => PLAIN_STYLE)).toBe('');
});

test('on a terminal: aligned under a header, without escape sequences of the cells or of its own', async () => {
  const table = await renderTable(['Name', 'Value'], rows, sink(true), async () => PLAIN_STYLE);
  expect(table).toContain('Name');
  expect(table).toContain('^[[31m');
  expect(table).not.toContain('\x1b');
});
