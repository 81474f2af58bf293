import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../../../src/engine/model/words-of.js';
import { layOutPage } from '../../../../../../src/engine/stages/layout/lay-out-page.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { fragmentsOf, setLine, setLines } from '../../../set-words.js';

const ITEMS = ['Harbour', 'Ships', 'Berths', 'Tides', 'Pilots', 'Cargo', 'Storage', 'Invoices', 'Settings', 'Log out'];
const MESSAGES = [
  'The barge Amelie asks for a berth at noon',
  'Water at the east quay stands a metre low',
  'Pilot Berg takes the tanker out at four',
  'The crane on pier two lifts nothing today',
];

/** A page of a program with a head, a bar of items down its left side, and tables of messages beside it. */
const program = (items: readonly string[], top: number, step: number): RawWord[] => [
  ...setLine('Port office', 20, 30),
  ...setLine('Search ships', 200, 30),
  ...setLines(items, 20, top, step),
  ...setLines([...MESSAGES, ...MESSAGES, ...MESSAGES, ...MESSAGES], 200, 75, 18),
  ...setLines([...ITEMS, ...ITEMS.slice(0, 6)], 480, 75, 18),
];

/** The text of a picture, in reading order. */
function read(words: readonly RawWord[], [width, height]: readonly [number, number], isRecognised = true): string {
  const drawn = { rules: [], images: [], shades: [], turned: [] };
  const page = { width, height, fragments: fragmentsOf(words), isRecognised, ...drawn };
  const { blocks } = layOutPage(page, page.fragments, { header: [], footer: [], margin: [] });
  return wordsOf(blocks)
    .map(({ text }) => text)
    .join(' ');
}

const WIDE = [640, 400] as const;

describe('a bar down the side of a picture', () => {
  it('items level with few lines beside them → read one after the other, before the content', () => {
    expect(read(program(ITEMS, 70, 28), WIDE)).toMatch(
      new RegExp(`^Port office ${ITEMS.join(' ')} Search ships The barge`),
    );
  });

  it('an upright page → no bar', () => {
    expect(read(program(ITEMS, 70, 28), [640, 900])).not.toContain(ITEMS.join(' '));
  });

  it('labels level with the lines beside them → rows', () => {
    expect(read(program(ITEMS, 75, 18), WIDE)).not.toContain(ITEMS.join(' '));
  });

  it('labels that wrap, in small letters → rows', () => {
    const wrapped = ITEMS.flatMap((item) => [item, 'of the port']).slice(0, 10);
    expect(read(program(wrapped, 70, 28), WIDE)).not.toContain(wrapped.join(' '));
  });

  it('labels in the middle of two lines each → rows', () => {
    const labels = setLines(ITEMS, 20, 81, 30);
    const cells = ITEMS.flatMap((_, row) => setLines(MESSAGES.slice(0, 2), 200, 75 + row * 30, 12));
    const places = ITEMS.flatMap((item, row) => setLines([item, item], 480, 75 + row * 30, 12));
    expect(read([...labels, ...cells, ...places], WIDE)).not.toContain(ITEMS.join(' '));
  });
});
