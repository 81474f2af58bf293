import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine, setLines } from '../../../set-words.js';

const frameOf = (x0: number, y0: number, x1: number, y1: number): Area[] => [
  { x0, x1, y0, y1: y0 },
  { x0, x1, y0: y1, y1 },
  { x0, x1: x0, y0, y1 },
  { x0: x1, x1, y0, y1 },
];
const LOST = ['A grey cat with one white foot was seen by', 'the miller. Please ring in the evening.'];
const FOUND = ['A bunch of five keys lay on the quay. They', 'can be had at the harbour office.'];
const FRAMES = [...frameOf(50, 90, 270, 150), ...frameOf(270, 90, 490, 150)];
const textOf = (words: readonly RawWord[], rules: readonly Area[]): string =>
  renderMarkdown(documentOf([readPage(words, 600, 800, { rules: [...rules] })]));

describe('articles in frames side by side', () => {
  const titles = [...setLine('Lost', 58, 106, { bold: true }), ...setLine('Found', 278, 106, { bold: true })];

  it('full lines in two frames above a frame of columns → each article read whole', () => {
    const below = [
      ...setLines(
        ['Before you go, see that the stove', 'is out, and shut off the water,', 'and lock the door.'],
        58,
        168,
      ),
      ...setLines(['When you are back, let the taps', 'run for a minute, and air all', 'the rooms of it.'], 278, 168),
    ];
    const words = [...titles, ...setLines(LOST, 58, 124), ...setLines(FOUND, 278, 124), ...below];
    const text = textOf(words, [...FRAMES, ...frameOf(50, 150, 490, 204)]);
    expect(text).toContain(LOST.join(' '));
    expect(text).toContain(FOUND.join(' '));
  });

  it('short lines in both frames → cells of a table', () => {
    const names = setLines(['Anna Brandt', 'John Price'], 58, 124);
    const text = textOf([...titles, ...names, ...setLines(['1 May', '2 June'], 278, 124)], FRAMES);
    expect(text).toContain('| Lost | Found |');
  });
});
