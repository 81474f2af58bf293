import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLine } from '../../../set-words.js';

type Placed = [y: number, ...cells: (string | undefined)[]];

const tablesIn = (rows: readonly Placed[], xs: readonly number[]): string[][][] => {
  const words = rows.flatMap(([y, ...cells]) =>
    cells.flatMap((cell, column) => (cell ? setLine(cell, xs[column] ?? 0, y) : [])),
  );
  return tablesOf(renderMarkdown(documentOf([readPage(words)])));
};

describe('a row whose cells all fill their columns', () => {
  const xs = [60, 117, 155, 193];
  const hours: Placed[] = [
    [120, 'Day', 'From', 'To', 'Note'],
    [136, 'Monday', '9.00', '18.00', 'closed between noon and one as on'],
    [148, undefined, undefined, undefined, 'all the other days of the week'],
    [164, 'Tuesday', '9.00', '18.00', 'open'],
  ];
  const words = 'in winter only by appointment so please call us some days before';

  it('a last line without wide space, its words beginning at the columns → the last row', () => {
    const [table] = tablesIn([...hours, [180, 'Wednesday', '10.00', '14.00', words]], xs);
    expect(table).toHaveLength(4);
    expect(table?.at(-1)).toEqual(['Wednesday', '10.00', '14.00', words]);
  });

  it('a last line whose words begin elsewhere → no row', () => {
    const [table] = tablesIn([...hours, [180, `Wednesday and 10.00 and ${words}`]], xs);
    expect(table).toHaveLength(3);
  });
});

describe('a table found without the last lines of its run', () => {
  it('last lines further and further to the right → rows as long as the columns stay in line', () => {
    const words = ['salt', 'timber', 'rope', 'cloth', 'nothing', 'iron', 'wool and silk', 'hay', 'barley', 'coal'];
    // Each of the last four stands at another x: with all of them too few rows are in line.
    const rows = words.map((word, index) => ({ word, x: 250 + Math.max(0, index - 5) * 13, y: 120 + index * 16 }));
    const set = rows.flatMap(({ word, x, y }, index) => [
      ...setLine(`Harbour number ${index}`, 60, y),
      ...setLine(word, x, y),
    ]);
    const [table] = tablesOf(renderMarkdown(documentOf([readPage(set)])));
    expect(table?.map(([, word]) => word)).toEqual(words.slice(0, 9));
  });
});
