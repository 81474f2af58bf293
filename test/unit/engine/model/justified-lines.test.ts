import { expect, it } from 'vitest';
import { renderText } from '../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine, setLines } from '../set-words.js';

const LEFT = 60;
const RIGHT = 260;

/** A line whose words have one space between them that fills it. */
function justify(line: string, y: number): RawWord[] {
  const words = line.split(' ').flatMap((word) => setLine(word, LEFT, y));
  const width = words.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0);
  const space = (RIGHT - LEFT - width) / (words.length - 1);
  let at = LEFT;
  return words.map((word) => {
    const placed = { ...word, x0: at, x1: at + word.x1 - word.x0, originX: at };
    at = placed.x1 + space;
    return placed;
  });
}

const textOf = (words: RawWord[]) => renderText(documentOf([readPage(words)])).replace(/[^\S\n]+/g, ' ');

it('justified lines of few words → text, no table', () => {
  const lines = [
    'the keepers of lighthouses',
    'inextinguishably watching over',
    'dangerous reefs and sandbanks',
    'from lanterns that burn',
  ];
  const last = 'all night long.';
  const words = [...lines.flatMap((line, row) => justify(line, 100 + row * 12)), ...setLine(last, LEFT, 148)];
  expect(textOf(words)).toBe([...lines, last].join('\n'));
});

it('words of several widths below each other → cells', () => {
  const rows = ['oil lamps burn slowly', 'gas lanterns go out', 'wax is dear today'];
  const words = rows.flatMap((row, line) =>
    row.split(' ').flatMap((cell, column) => setLine(cell, LEFT + column * 90, 100 + line * 14)),
  );
  const [table] = readPage([...words, ...setLines(['A line below the table.'], LEFT, 180)]).blocks;
  expect(table?.kind).toBe('table');
});
