import { describe, expect, it } from 'vitest';
import { beginsClause } from '../../../../../../src/engine/stages/layout/lines/line-cells.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, linesOf, readPage, setLine, setLines } from '../../../set-words.js';

const read = (words: RawWord[]): string[] =>
  renderMarkdown(documentOf([readPage(words)]))
    .trim()
    .split('\n\n');

/** The number of a clause, wide space, and the first line of its text; the other lines begin under the number. */
const setClause = (number: string, [first = '', ...others]: string[], y: number): RawWord[] => [
  ...setLine(number, 100, y),
  ...setLine(first, 144, y),
  ...setLines(others, 100, y + 12),
];

describe('numbered clauses', () => {
  const NOTICES = [
    'Notices. All that the keepers of the light write to each other about the',
    'Office and its ships must be in writing, and be sent to the addresses that stand',
    'on the first page of this agreement.',
  ];
  const LAMPS = [
    'Lamps. Each of the lamps that burn in the tower belongs to the Keeper of',
    'Harbours alone, and none of them may be put out at night by crews of passing ships.',
  ];

  it('wide space after the number of a clause → a paragraph, no cells', () => {
    const words = [...setClause('14.1.', NOTICES, 100), ...setClause('14.2.', LAMPS, 160)];
    expect(read(words)).toEqual([`14.1. ${NOTICES.join(' ')}`, `14.2. ${LAMPS.join(' ')}`]);
  });

  it.each([
    ['14.1.', NOTICES[0] ?? '', true],
    ['14.1.', '“Lamps” are all lights that burn upon a tower or a ship at sea', true],
    ['14.1.', 'Lamps and wicks', false],
    ['14.1.', 'lamps and wicks of all the towers that stand between both of the harbours', false],
    ['141', NOTICES[0] ?? '', false],
    ['¶ 12', NOTICES[0] ?? '', true],
    ['[¶12]', NOTICES[0] ?? '', true],
    ['Act 12', NOTICES[0] ?? '', false],
  ])('a number before a wide line that begins like a sentence → a clause: %s %s', (number, text, begins) => {
    const [line] = linesOf([...setLine(number, 100, 100), ...setLine(text, 144, 100)]);
    expect(line && beginsClause(line)).toBe(begins);
  });

  it('a number before a space like others → no clause', () => {
    const [line] = linesOf(setLine(`14.1. ${NOTICES[0]}`, 100, 100));
    expect(line && beginsClause(line)).toBe(false);
  });

  it('a note with wide space after its number → continued below its first line', () => {
    const [head = '', ...note] = [
      'Because the keeper has gone to sea, his brother, who',
      'keeps it now, wrote this note.',
    ];
    const text = NOTICES.map((line) => `${line} 2`.slice(0, 72));
    const words = [
      ...setLines(text, 100, 100),
      ...setLine('light', 100, 136),
      ...setLine('1', 126, 132, { size: 6 }),
      ...setLine('1', 120, 696, { size: 5 }),
      ...setLine(head, 160, 700, { size: 9 }),
      ...setLines(note, 100, 711, 11, { size: 9 }),
    ];
    expect(read(words).at(-1)).toBe(`[^1]: ${head} ${note.join(' ')}`);
  });
});

describe('marks within a sentence', () => {
  const SENTENCE = (a: string, b: string, c: string) => [
    `What is told to the keepers is no secret where it has been ${a} known to all;`,
    'or has been printed in a paper that is sold at the harbour by its people, or',
    `heard aboard a ship that passes the light in any weather at all; or ${b} told;`,
    `${c} written to them by those whose secret it was, and who wished to be read by`,
    'the men of the light alone.',
  ];

  it.each([
    ['(a)', '(b)', '(c)'],
    ['(i)', '(ii)', '(iii)'],
    ['1)', '2)', '3)'],
  ])('%s, %s and %s, the one before between words → no items', (a, b, c) => {
    const lines = SENTENCE(a, b, c);
    expect(read(setLines(lines, 100, 100))).toEqual([lines.join(' ')]);
  });

  it('marks, the one before at the start of a line → items', () => {
    const items = [
      '(a) what is known to all of the keepers on this coast and to their families;',
      '(b) what has been printed in any of the papers that are sold at the harbour;',
      '(c) what all those whose secret it was have told aboard ships that passed.',
    ];
    expect(
      read(setLines(items, 100, 100))
        .join('\n')
        .split('\n'),
    ).toHaveLength(3);
  });

  it.each([
    ['(1)', '(2)'],
    ['(a)', '(b)'],
    ['i)', 'ii)'],
  ])('%s at the start of a line behind a colon, %s between words below it → no items', (first, second) => {
    const lines = [
      'The keepers of all the lights of this coast were asked two questions by them:',
      `${first} what is told to you that is no secret at all in the harbour or elsewhere, and`,
      `is printed there? ${second} what have you heard aboard the ships that pass the light?`,
    ];
    expect(read(setLines(lines, 100, 100))).toEqual([lines.join(' ')]);
    const items = [lines[0] ?? '', lines[1] ?? '', 'is printed there?', `${second} what have you heard aboard?`];
    expect(read(setLines(items, 100, 100)).length).toBeGreaterThan(1);
  });
});
