import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { documentOf, readPage, readPages, setLine, setLines } from '../../../set-words.js';

const markdownOf = (words: ReturnType<typeof setLine>) => renderMarkdown({ pages: [readPage(words)], warnings: [] });

const BODY = [
  'The ferry crosses the bay ten times a day, and nobody has ever been',
  'left behind by it, as the oldest of the keepers of the lamp tell those',
  'who ask them in the evening, when the last one has come to its pier.',
];
/** A text whose last line ends with a word and its raised number. */
const textWith = (word: string, raised: string, x = 60) => [
  ...setLine(word, x, 142),
  ...setLine(raised, x + word.length * 5, 138, { size: 6 }),
];
const small = (text: string, y: number) => setLine(text, 60, y, { size: 8 });

it('a numbered list in small print, an exponent above → no notes', () => {
  const items = ['1. measure the deck', '2. cut the planks', '3. paint them'];
  const words = [
    ...setLines(BODY, 60, 100),
    ...textWith('40 m', '2'),
    ...items.flatMap((item, index) => small(item, 600 + index * 12)),
  ];
  expect(markdownOf(words)).toContain(items.join('\n'));
});

it('a text that begins with the raised number → the note, not the item of this number', () => {
  const words = [
    ...setLines(BODY, 60, 100),
    ...textWith('others', '1'),
    ...small('1. measure the deck', 600),
    ...setLine('1', 60, 696, { size: 5 }),
    ...setLine('As they say.', 64, 700, { size: 8 }),
  ];
  const markdown = markdownOf(words);
  expect(markdown).toContain('1. measure the deck');
  expect(markdown).toContain('[^1]: As they say.');
});

it('a small numbered line in the upper part of the page → no note', () => {
  const words = [
    ...setLines(BODY, 60, 100),
    ...textWith('others', '1'),
    ...small('1. As they say, and have said for as long as anybody knows.', 200),
    ...setLines(BODY, 60, 260),
  ];
  expect(markdownOf(words)).not.toContain('[^1]:');
});

it('small numbered lines, each number cited in the text → notes', () => {
  const words = [
    ...setLines(BODY, 60, 100),
    ...textWith('others', '1'),
    ...textWith('they', '2', 200),
    ...small('1. As they say, and have said for as long as anybody knows.', 640),
    ...small('2. In the evening.', 660),
  ];
  expect(markdownOf(words)).toContain('[^2]: In the evening.');
});

it.each([
  ['Of the lamp house.', '2', '[^1]: Of the lamp house.\n\n[^2]: Of the pier.'],
  ['Of the lamp house', '2', '[^1]: Of the lamp house 2 Of the pier.'],
  ['Of the lamp house.', '5', '[^1]: Of the lamp house. 5 Of the pier.'],
])('"%s" and, in its line, a raised %s with text apart → %j', (first, number, notes) => {
  const end = 64 + first.length * 4;
  const words = [
    ...setLines(BODY, 60, 100),
    ...textWith('others', '1'),
    ...textWith('pier', number, 160),
    ...setLine('1', 60, 696, { size: 5 }),
    ...setLine(first, 64, 700, { size: 8 }),
    ...setLine(number, end + 4, 696, { size: 5 }),
    ...setLine('Of the pier.', end + 11, 700, { size: 8 }),
  ];
  expect(markdownOf(words)).toContain(notes);
});

it.each([
  ['= q + r', 'text'],
  ['From the keeper of the lamp.', '[^k]: From the keeper of the lamp.'],
])('a raised letter and, at the foot, the same letter before "%s" → %s', (rest, note) => {
  const words = [
    ...setLines(BODY, 60, 100),
    ...textWith('others', 'k'),
    ...setLine('k', 60, 696, { size: 5 }),
    ...setLine(rest, 64, 700, { size: 8 }),
  ];
  expect(markdownOf(words).includes('[^k]')).toBe(note.startsWith('[^k]'));
});

it('the rest of a note at the foot of the next page → a part of the note, its word joined', () => {
  const note = ['1 The keepers say so in the even-', 'ings, all of them, each in turn.'];
  const pages = (rest: string) => [
    [...setLines(BODY, 60, 100), ...textWith('others', '1'), ...small(note[0] ?? '', 700)],
    [...setLines(BODY, 60, 100), ...small(rest, 700)],
  ];
  const render = (rest: string) => renderMarkdown(documentOf(readPages(pages(rest))));
  expect(render(note[1] ?? '')).toContain('[^1]: The keepers say so in the evenings, all of them, each in turn.');
  // A sentence of its own is none.
  expect(render('Others say nothing, each in turn.')).toContain('\n\nOthers say nothing');
});

it('a raised number right before a word, as of an isotope → no mark of a note', () => {
  const ratio = [
    ...setLine('with the', 60, 142),
    ...setLine('87', 104, 138, { size: 6 }),
    ...setLine('Sr of all', 110.2, 142),
  ];
  const words = [...setLines(BODY, 60, 100), ...ratio, ...small('87 values were taken in the harbour', 600)];
  const markdown = markdownOf(words);
  expect(markdown).not.toContain('[^87]');
});
