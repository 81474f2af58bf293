import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { documentOf, readPage, setLine } from '../../../set-words.js';

const markdownOf = (words: Parameters<typeof readPage>[0]) => renderMarkdown(documentOf([readPage(words)]));

describe('marks above or below their line', () => {
  it('a line written before its marks → marks where they are printed', () => {
    const words = [
      ...setLine('The keeper of the lamp writes it down at F', 60, 300),
      ...setLine('and at F', 253, 300),
      ...setLine('again', 294, 300),
      ...setLine('when the night was long.', 60, 312),
      ...setLine('a', 248, 302, { size: 6 }),
      ...setLine('b', 289, 302, { size: 6 }),
    ];
    expect(markdownOf(words)).toBe(
      'The keeper of the lamp writes it down at F a and at F b again when the night was long.',
    );
  });

  it('a mark above a comma → at its place', () => {
    const words = [
      ...setLine('∗', 110, 96, { size: 6 }),
      ...setLine('Ada Keeper', 58, 100),
      ...setLine(', Grace Wick', 110, 100),
      ...setLine('∗', 60, 700, { size: 6 }),
      ...setLine('Of the lamp house.', 64, 703, { size: 8 }),
    ];
    expect(markdownOf(words)).toContain('Ada Keeper[^note-1] , Grace Wick');
  });

  it('a mark that touches a line, however high → part of this line', () => {
    const words = [
      ...setLine('c', 168, 294, { size: 7 }),
      ...setLine('*', 108, 297, { size: 7 }),
      ...setLine('Ada Keeper', 56, 300),
      ...setLine(', Grace Wick', 112, 300),
    ];
    expect(markdownOf(words)).toBe('Ada Keeper \\* , Grace Wick c');
  });

  it('a mark beside a line of one word → raised', () => {
    const words = [
      ...setLine('The oil for the lamp is bought in the town and carried up the', 60, 300),
      ...setLine('harbour.', 60, 312),
      ...setLine('1', 100, 308, { size: 6 }).map((word) => ({ ...word, glued: true })),
      ...setLine('1', 60, 697, { size: 5 }),
      ...setLine('As a rule.', 64, 700, { size: 8 }),
    ];
    expect(markdownOf(words)).toContain('harbour.[^1]\n\n[^1]: As a rule.');
  });

  it('marks of a line beside one of no word → the marks stand at their words', () => {
    const mark = (text: string, x: number) =>
      setLine(text, x, 294, { size: 9.6 }).map((word) => ({ ...word, glued: true }));
    const words = [
      ...mark('2', 101),
      ...mark('nd', 143),
      ...setLine('†', 330, 294, { size: 9.6 }),
      ...setLine('Some 12 km', 56, 300),
      ...setLine('or a 2', 118, 300),
      ...setLine('run of the ferry and more', 157, 300),
    ];
    expect(markdownOf(words)).toContain('Some 12 km2 or a 2nd run of the ferry and more');
  });

  it('the number of a note, half an em above its text and hardly smaller → the note', () => {
    const words = [
      ...setLine('The oil for the lamp is bought in the town and carried up the harbour.', 60, 300),
      ...setLine('1', 410, 296, { size: 6 }).map((word) => ({ ...word, glued: true })),
      ...setLine('1', 60, 696, { size: 7.2 }),
      ...setLine('As a rule.', 65, 700, { size: 8 }),
      ...setLine('2', 60, 706, { size: 7.2 }),
      ...setLine('On foot.', 65, 710, { size: 8 }),
    ];
    expect(markdownOf(words)).toBe(
      'The oil for the lamp is bought in the town and carried up the harbour.[^1]\n\n[^1]: As a rule.\n\n2 On foot.',
    );
  });

  it('marks right before names of a line, in a row of their own → one line in order', () => {
    const words = [
      ...setLine('1', 56, 295.5, { size: 9 }),
      ...setLine('2', 148, 295.5, { size: 9 }),
      ...setLine('House of lamps;', 60.5, 300),
      ...setLine('Harbour of Vigo', 152.5, 300).map((word, index) => (index === 0 ? { ...word, glued: true } : word)),
    ];
    expect(markdownOf(words)).toBe('1 House of lamps; 2Harbour of Vigo');
  });

  it('the bullet of a line with a raised sign that reaches down to it → an item', () => {
    const words = [
      ...setLine('•', 60, 100, { size: 9 }),
      ...setLine('At the end of the 1', 90, 100, { size: 12 }),
      ...setLine('st', 192, 94.5, { size: 8 }),
      ...setLine('winter the lamp is lit', 204, 100, { size: 12 }),
      ...setLine('by the keeper.', 90, 114, { size: 12 }),
    ];
    expect(markdownOf(words)).toBe('- At the end of the 1 st winter the lamp is lit by the keeper.');
  });

  it('two indices of one sign, above each other → the paragraph stays whole', () => {
    const words = [
      ...setLine('The oil for the lamp is bought in the town and x', 60, 300),
      ...setLine('1', 294, 303, { size: 6 }),
      ...setLine('in the', 300, 300),
      ...setLine('+', 295, 295, { size: 6 }),
      ...setLine('harbour is carried up the hill before it is dark at the sea.', 60, 312),
    ];
    expect(markdownOf(words)).toMatch(
      /^The oil for the lamp is bought in the town and x.*in the harbour is carried up/,
    );
  });
});
