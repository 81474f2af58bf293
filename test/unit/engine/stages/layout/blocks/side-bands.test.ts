import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { type Drawn, documentOf, readPages, setLine, setLines } from '../../../set-words.js';

/** A slide of 480 by 270 points. */
const slide = (title: string, lines: readonly string[]): RawWord[] => [
  ...setLine(title, 70, 30, { size: 18 }),
  ...setLines(lines, 80, 100, 16),
];

const band = (x0: number, x1: number, y0 = 50) => ({ x0, x1, y0, y1: 270 });
const markdown = (pages: RawWord[][], drawn: Drawn): string =>
  renderMarkdown(documentOf(readPages(pages, [480, 270], drawn))).trim();

const moved =
  (by: number) =>
  (word: RawWord): RawWord => ({ ...word, x0: word.x0 + by, x1: word.x1 + by });

const FIRST = ['Rents rise by a third', 'The rooms are too small', 'The lease ends in May'];

describe('a band down the side of pages', () => {
  it('a band on one page, lines level with the text → a text of its own', () => {
    const contact = ['Anna Berg', '12 Harbour Lane', 'Port Ellis'];
    const words = [...setLines(contact, 5, 100, 16), ...slide('Why we move', FIRST).map(moved(40))];
    const text = markdown([words], { shades: [band(0, 105)] });
    expect(text).toMatch(/Anna Berg\s+12 Harbour Lane\s+Port Ellis/);
    expect(text).toContain(FIRST.join(' '));
  });
});
