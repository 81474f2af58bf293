import { describe, expect, it } from 'vitest';
import type { Table, TableCell } from '../../../../../src/engine/model/document.js';
import { renderCsv } from '../../../../../src/engine/stages/render/csv.js';
import { renderCell } from '../../../../../src/engine/stages/render/text.js';
import { readPage, setLines } from '../../set-words.js';

const cell = (row: number, column: number, text: string, spans: Partial<TableCell> = {}): TableCell => {
  const words = text.split(' ').map((word) => ({ text: word, box: [0, 0, 1, 1] as const, confidence: null }));
  const line = { box: [0, 0, 1, 1] as const, fontSize: 10, direction: 'ltr' as const, words };
  return { row, column, rowSpan: 1, columnSpan: 1, box: [0, 0, 1, 1], lines: text === '' ? [] : [line], ...spans };
};
const table = (rows: number, columns: number, cells: TableCell[]): Table => ({ rows, columns, cells });

describe('CSV', () => {
  it('a cell with a comma, a quote or a line break → quoted as in RFC 4180, no other cell', () => {
    const cells = [cell(0, 0, 'a b'), cell(0, 1, '1,5'), cell(1, 0, 'say "no"'), cell(1, 1, '')];
    expect(renderCsv(table(2, 2, cells))).toBe('a b,"1,5"\r\n"say ""no""",\r\n');
  });

  it.each([
    ['LF', 'over\nunder'],
    ['CR', 'over\runder'],
  ])('a cell with a line break (%s) → quoted', (_, text) => {
    expect(renderCsv(table(1, 2, [cell(0, 0, text), cell(0, 1, 'x')]))).toBe(`"${text}",x\r\n`);
  });

  it('a cell that looks like a formula → unchanged', () => {
    const cells = [cell(0, 0, '=1+1'), cell(0, 1, '-5'), cell(0, 2, '@x')];
    expect(renderCsv(table(1, 3, cells))).toBe('=1+1,-5,@x\r\n');
  });

  it('a text that spans several cells → in the first of them', () => {
    const cells = [cell(0, 0, 'both', { columnSpan: 2 }), cell(1, 0, 'x'), cell(1, 1, 'y')];
    expect(renderCsv(table(2, 2, cells))).toBe('both,\r\nx,y\r\n');
  });

  it('an empty row, also in a single column → a line of its own', () => {
    expect(renderCsv(table(2, 1, [cell(0, 0, 'x'), cell(1, 0, '')]))).toBe('"x"\r\n""\r\n');
  });
});

it.each([
  ['Chinese goes on', ['主体信用', '评级等级'], '主体信用评级等级'],
  ['other words begin', ['credit', 'rating'], 'credit rating'],
])('a cell of several lines → one line: %s', (_, lines, text) => {
  const cell = readPage(setLines(lines, 60, 100)).blocks[0];
  expect(renderCell({ lines: cell?.lines ?? [] })).toBe(text);
});
