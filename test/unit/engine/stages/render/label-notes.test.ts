import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import { readPage, setLine, setLines } from '../../set-words.js';

const BODY = [
  'The ferry crosses the bay ten times a day, and nobody has ever been',
  'left behind by it, as the oldest of the keepers of the lamp tell those',
  'who ask them in the evening, when the last one has come to its pier.',
];
const raised = (text: string, x: number, y: number, glued = true) =>
  setLine(text, x, y - 4, { size: 6 }).map((word) => ({ ...word, glued }));

/** A text with the given words on its last lines, and a note 2 at the foot of its page. */
const markdownOf = (words: ReturnType<typeof setLine>) =>
  renderMarkdown({
    pages: [
      readPage([
        ...setLines(BODY, 60, 100),
        ...words,
        ...setLine('2 As they say in the evening.', 60, 640, { size: 8 }),
      ]),
    ],
    warnings: [],
  });

/** "others²", with 2 raised, on the line below the text. */
const REFERENCE = [...setLine('others', 60, 136), ...raised('2', 90, 136), ...setLine('go on.', 98, 136)];

it.each([
  [
    'a variable',
    [...setLine('with the speed', 60, 148), ...setLine('v', 140, 148, { italic: true }), ...raised('2', 145, 148)],
  ],
  [
    'a product',
    [...setLine('with the energy', 60, 148), ...setLine('mv', 145, 148, { italic: true }), ...raised('2', 155, 148)],
  ],
  ['a unit', [...setLine('on a deck of 40 km', 60, 148), ...raised('2', 148, 148)]],
  ['a bracket', [...setLine('and for all of (a+b)', 60, 148), ...raised('2', 156, 148)]],
  ['a space', [...setLine('for them it is one', 60, 148), ...raised('2', 156, 148, false)]],
])('a raised number behind %s, the note cited elsewhere → no mark of the note', (_, words) => {
  const markdown = markdownOf([...REFERENCE, ...words]);
  expect(markdown).toContain('others[^2] go on.');
  expect(markdown.match(/\[\^2\]/g)).toHaveLength(2);
});

it('a raised number behind a word twice → two marks of the note', () => {
  const words = [...setLine('as do many', 60, 148), ...raised('2', 110, 148), ...setLine('of them.', 118, 148)];
  expect(markdownOf([...REFERENCE, ...words])).toContain('others[^2] go on. as do many[^2] of them.');
});

it('a raised number behind one letter, the note cited nowhere else → the mark of the note', () => {
  const words = [...setLine('says Miss Q', 60, 136), ...raised('2', 115, 136), ...setLine('of them.', 123, 136)];
  expect(markdownOf(words)).toContain('Q[^2] of them.');
});

it('a raised number behind a figure, the note cited nowhere else → the mark of the note', () => {
  const words = [...setLine('of 1,204', 60, 136), ...raised('2', 100, 136), ...setLine('of them.', 110, 136)];
  expect(markdownOf(words)).toContain('1,204[^2] of them.');
});

it.each([
  ['an exponent', '4.5·10', '6', '4.5·10⁶ cells'],
  ['a negative exponent', '10', '−3', '10⁻³ cells'],
  ['a mark of a note that is nowhere', '1,204', '3.', '1,204³. cells'],
  ['a share', '10%', '3', '10%³ cells'],
  ['an ordinal', '2', 'nd', '2nd cells'],
])('a raised sign right behind %s → a figure stays apart from the figure before it', (_, before, mark, shown) => {
  const words = [...setLine(`of ${before}`, 60, 136), ...raised(mark, 110, 136), ...setLine('cells.', 130, 136)];
  expect(markdownOf(words)).toContain(`of ${shown}.`);
  const bold = words.map((word) => ({ ...word, bold: true }));
  expect(markdownOf(bold)).toContain(`**of ${shown}.**`);
});

it('the number of a note behind several names of authors → no mark of the note', () => {
  const authors = ['Adeyemi', 'Sundvik', 'Okafor'].flatMap((name, index) => [
    ...setLine(name, 60 + index * 80, 60),
    ...raised('2', 60 + index * 80 + name.length * 5, 60),
  ]);
  const markdown = markdownOf([...authors, ...REFERENCE]);
  expect(markdown).toContain('Adeyemi2 Sundvik2 Okafor2');
  expect(markdown).toContain('others[^2] go on.');
});
