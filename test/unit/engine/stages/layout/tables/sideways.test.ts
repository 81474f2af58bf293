import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLine, setLines } from '../../../set-words.js';
import { HEAD, ROWS, setRow, TABLE } from '../../../wrapped-rows.js';

const HEIGHT = 800;
/** A place on the page when it is read from its right side: text runs upwards. */
const turn = ({ x0, y0, x1, y1 }: Area): Area => ({ x0: y0, x1: y1, y0: HEIGHT - x1, y1: HEIGHT - x0 });
const turnWords = (words: RawWord[]): RawWord[] =>
  words.map((word) => {
    const [originX, originY] = [word.originY, HEIGHT - word.originX];
    return { ...word, ...turn(word), originX, originY, angle: 270 };
  });

const PROSE = [
  'The harbour keeps a list of what comes in and what goes',
  'out again, and the list is read aloud on the first of',
  'every month to whoever is there, which is mostly gulls,',
  'and to the clerk who wrote it, who has to be there too.',
];
const CARGO = [
  ['Ship', 'Cargo', 'Tons'],
  ['Marigold', 'salt and rope', '120'],
  ['Heron', 'timber', '88'],
  ['Old Tom', 'nothing', '0'],
];
const cargo = CARGO.flatMap((row, index) =>
  row.flatMap((cell, column) => setLine(cell, [60, 200, 340][column] ?? 0, 80 + index * 16)),
);

const read = (sideways: RawWord[], { lines = PROSE, rules = [] as Area[] } = {}) => {
  const page = readPage([...setLines(lines, 300, 100), ...turnWords(sideways)], 600, HEIGHT, {
    rules: rules.map(turn),
  });
  return { page, tables: tablesOf(renderMarkdown(documentOf([page]))) };
};

describe('a table that is set sideways', () => {
  it('columns between white space → a table, its cells where they stand on the page', () => {
    const { page, tables } = read(cargo);
    expect(tables).toEqual([CARGO]);
    const block = page.blocks.find(({ table }) => table !== undefined);
    expect(block?.turned).toBe(true);
    const [ship, load] = block?.table?.cells ?? [];
    // Rows go from left to right, and columns upwards.
    expect(ship?.box[0]).toBeCloseTo(72 / 600, 2);
    expect(ship?.box[3]).toBeCloseTo((HEIGHT - 60) / HEIGHT, 2);
    expect(load?.box[3]).toBeCloseTo((HEIGHT - 200) / HEIGHT, 2);
  });

  it('rules beside its head and its end → rows of several lines', () => {
    let y = 140;
    const words = ROWS.flatMap((row) => {
      const set = setRow(row, y);
      y += Math.max(...row.map(({ length }) => length)) * 12;
      return set;
    });
    const rules = [108, 126, y - 8].map((at) => ({ x0: 50, x1: 550, y0: at, y1: at }));
    const lines = Array.from({ length: 4 }, () => PROSE).flat();
    expect(read([...setRow(HEAD, 120), ...words], { lines, rules }).tables).toEqual([TABLE]);
  });

  it('few words beside much text, as the axes of two charts → no table', () => {
    const lines = Array.from({ length: 3 }, () => PROSE).flat();
    expect(read(cargo, { lines }).tables).toEqual([]);
  });

  it('text that is set sideways → paragraphs, no headings', () => {
    const { page } = read(setLines(PROSE.slice(0, 2), 60, 80, 12, { size: 14 }));
    expect(page.blocks.filter(({ turned }) => turned).map(({ kind }) => kind)).toEqual(['paragraph']);
  });
});
