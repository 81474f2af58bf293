import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { type Drawn, documentOf, readPages, setLine, setLines } from '../../../set-words.js';

const SECTIONS = ['Start', 'Middle part', 'End'];

/** A slide of 480 by 270 points: its sections down the side, level with its lines, and its title. */
const slide = (title: string, lines: readonly string[], sections = SECTIONS): RawWord[] => [
  ...setLines(sections, 5, 102, 14, { size: 6 }),
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
const SECOND = ['Two floors near the station', 'Room for forty people', 'A yard for the cars'];
const SLIDES = [slide('Why we move', FIRST), slide('Where we go', SECOND)];
const SHORT = [slide('Why we move', FIRST.slice(1, 2)), slide('Where we go', SECOND.slice(1, 2))];

describe('a band down the side of pages', () => {
  it('a band repeated on the next page → no part of the text', () => {
    for (const drawn of [{ shades: [band(0, 50)] }, { images: [band(0, 50)] }]) {
      const text = markdown(SLIDES, drawn);
      for (const section of SECTIONS) expect(text).not.toContain(section);
      for (const line of [...FIRST, ...SECOND]) expect(text).toContain(line);
    }
  });

  it('a text that stands on the band once → kept', () => {
    const own = [
      slide('Why we move', FIRST, ['Start', 'Middle part', 'Rent']),
      slide('Where we go', SECOND, ['Start', 'Middle part', 'Yard']),
    ];
    const text = markdown(own, { shades: [band(0, 50)] });
    expect(text).not.toContain('Middle part');
    for (const line of ['Rent', 'Yard']) expect(text).toContain(line);
  });

  it('labels repeated at the side of upright pages → kept: only slides have bands', () => {
    const drawn = { shades: [{ x0: 0, x1: 50, y0: 50, y1: 620 }] };
    const text = renderMarkdown(documentOf(readPages(SLIDES, [480, 620], drawn)));
    for (const section of SECTIONS) expect(text).toContain(section);
  });

  it('a strip away from the edge, too low or too wide → no band', () => {
    for (const shade of [band(4.9, 50), band(0, 50, 90), band(0, 300)])
      expect(markdown(SHORT, { shades: [shade] })).toContain('Middle part');
  });

  it('a band on one page, lines level with the text → a text of its own', () => {
    const contact = ['Anna Berg', '12 Harbour Lane', 'Port Ellis'];
    const words = [...setLines(contact, 5, 100, 16), ...slide('Why we move', FIRST, []).map(moved(40))];
    const text = markdown([words], { shades: [band(0, 105)] });
    expect(text).toMatch(/Anna Berg\s+12 Harbour Lane\s+Port Ellis/);
    expect(text).toContain(FIRST.join(' '));
  });
});
