import { expect, test } from 'vitest';
import { html } from '../../../../src/commands/open/html.js';
import { markWords } from '../../../../src/commands/open/mark-words.js';
import { selectShown } from '../../../../src/commands/open/select-shown.js';
import { viewResult } from '../../../../src/commands/open/view-result.js';

const BOX = [0.1, 0.1, 0.5, 0.2];
const word = (text: string, confidence: number) => ({ text, confidence, box: undefined });

test('words below the bound → runs of their own, in their order, the text unchanged', () => {
  const runs = markWords('to be or to be', [word('to', 0.9), word('be', 0.9), word('or', 0.9), word('to', 0.5)]);
  expect(runs).toEqual([
    { text: 'to be or ' },
    { text: 'to', unsure: { confidence: 0.5, box: undefined } },
    { text: ' be' },
  ]);
});

test('a word that the text does not have → unmarked', () => {
  expect(markWords('departures', [word('dep-', 0.1), word('artures', 0.9)])).toEqual([{ text: 'departures' }]);
});

test('values in HTML → escaped in text and attributes; HTML within HTML → as it is', () => {
  const bad = `"><script>alert('&')</script>\0`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;\ufffd';
  expect(html`<p title="${bad}">${html`<b>${bad}</b>`}</p>`.text).toBe(`<p title="${escaped}"><b>${escaped}</b></p>`);
});

test('a layout of hostile values → a view without them', () => {
  const cell = { row: 0, column: 0, rowSpan: 1e12, columnSpan: -1, text: 'c', box: [0, 0, 2, 2] };
  const { pages } = viewResult({
    pages: [
      {
        page: '"><',
        width: -1,
        height: Number.POSITIVE_INFINITY,
        rotation: 45,
        source: 7,
        blocks: [
          null,
          { kind: 'heading', level: 99, text: 'h', box: BOX },
          { kind: 'table', table: { cells: [cell] } },
        ],
      },
    ],
  });
  expect(pages).toMatchObject([{ number: 1, rotation: 0 }]);
  expect(pages[0]).not.toHaveProperty('size');
  expect(pages[0]?.blocks).toMatchObject([
    { kind: 'paragraph' },
    { kind: 'heading', level: 6, lines: [{ runs: [{ text: 'h' }] }] },
    { kind: 'table', rows: [[{ rowSpan: 1000, columnSpan: 1, box: undefined }]] },
  ]);
});

test('cells of a table → in rows and columns, with the unsure words inside them', () => {
  const cells = [
    { row: 1, column: 0, rowSpan: 1, columnSpan: 1, text: 'below', box: [0, 0.5, 1, 1] },
    { row: 0, column: 1, rowSpan: 1, columnSpan: 1, text: 'right', box: [0.5, 0, 1, 0.5] },
    { row: 0, column: 0, rowSpan: 1, columnSpan: 1, text: 'left', box: [0, 0, 0.5, 0.5] },
  ];
  const words = [{ text: 'right', confidence: 0.3, box: [0.6, 0.1, 0.8, 0.2] }];
  const view = viewResult({ pages: [{ blocks: [{ kind: 'table', table: { cells }, lines: [{ words }] }] }] });
  expect(view.unsureCount).toBe(1);
  expect(view.pages[0]?.blocks).toMatchObject([
    { rows: [[{ runs: [{ text: 'left' }] }, { runs: [{ unsure: { confidence: 0.3 } }] }], [{}]] },
  ]);
});

test('results of other functions → tables by page, texts of pages, the whole text, or JSON', () => {
  const cells = [{ row: 0, column: 0, text: 'a', confidence: 0.2, box: BOX }];
  const tables = viewResult({ tables: [{ page: 3, cells }] });
  expect(tables).toMatchObject({ unsureCount: 1, pages: [{ number: 3, blocks: [{ kind: 'table' }] }] });
  const perPage = viewResult({
    text: 'a\nb',
    pages: [
      { page: 1, text: 'a' },
      { page: 2, text: 'b' },
    ],
  });
  expect(perPage.pages.map(({ blocks }) => blocks)).toEqual([
    [{ kind: 'plain', text: 'a' }],
    [{ kind: 'plain', text: 'b' }],
  ]);
  expect(viewResult({ text: 'a' }).pages).toMatchObject([{ number: 1, blocks: [{ text: 'a' }] }]);
  const rest = viewResult({ barcodes: [], file: 'x'.repeat(5000) });
  expect(rest).toMatchObject({ pages: [], rest: expect.stringContaining('… (5000 characters)') });
});

test('pages → those that are named, from either end; without names the first 50, and a remark', () => {
  const view = viewResult({ pages: Array.from({ length: 120 }, (_, index) => ({ page: index + 1, blocks: [] })) });
  const shown = (pages?: string) => selectShown(view, pages).view.pages.map(({ number }) => number);
  expect(shown('1-2,7,-1')).toEqual([1, 2, 7, 120]);
  expect(shown('119-')).toEqual([119, 120]);
  expect(shown()).toHaveLength(50);
  expect(selectShown(view, undefined).note).toBe('Pages to 50 of 120 are shown; see others with --pages 51-100');
});
