import { renderMarkdown } from '../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../src/engine/stages/text-layer/words/raw-word.js';
import { type Drawn, documentOf, readPage, setLine, setLines } from './set-words.js';

// A table whose cells have several lines, between two texts. Each test adds its own rules.

const intro = setLines(
  ['The harbour keeps a list of what comes in and what goes out again, and', 'reads it aloud.'],
  50,
  60,
);
const outro = setLines(['Whoever is there on the first of the month hears what the list has to say.'], 50, 700);

export const flat = (y: number, x0 = 50, x1 = 500) => ({ x0, x1, y0: y, y1: y });
/** The left ends of the columns. */
const XS = [54, 184, 364];

export const read = (words: RawWord[], drawn: Drawn) =>
  renderMarkdown(documentOf([readPage([...intro, ...words, ...outro], 600, 800, drawn)]));
/** The Markdown of words between level rules over all columns. */
export const render = (words: RawWord[], ys: number[]) => read(words, { rules: ys.map((y) => flat(y)) });

/** Cells of one row, their lines 12 points apart. */
export const setRow = (cells: string[][], y: number, bold = false) =>
  cells.flatMap((lines, column) => setLines(lines, XS[column] ?? 0, y, 12, { bold }));

export const HEAD = [['Meeting'], ['Who comes'], ['How long']];
export const ROWS = [
  [
    ['Weekly council of', 'the harbour about', 'ropes and chains'],
    ['Masters of all ships that', 'lie in the harbour'],
    ['Two hours on the', 'first of a month'],
  ],
  [
    ['Reading of the', 'list and whatever', 'came in late since', 'the last one'],
    ['Whoever happens to be', 'there, and the clerk of', 'the harbour'],
    ['Half an hour'],
  ],
  [
    ['Counting of gulls', 'and other birds'],
    ['The keeper of the light', 'and his neighbours'],
    ['As long as they', 'can be seen'],
  ],
];
export const asText = (rows: string[][][]) => rows.map((row) => row.map((lines) => lines.join(' ')));
export const TABLE = asText([HEAD, ...ROWS]);

/** Lines of prose. */
export const TEXT = [
  'ships come in at the break of the day and go',
  'out when it is dark, and those who look after',
  'them sleep. Nobody has counted the ropes',
  'since the old clerk left, which is why there',
  'are so many of them now.',
  'The new one has begun to count them, but was',
  'called away to the gulls before he was done',
];

const setColumn = (x: number, from: number) =>
  setLines(
    Array.from({ length: 30 }, (_, index) => `${TEXT[(index + from) % TEXT.length]}`),
    x,
    140,
  );

/** The head of a page, and two columns of text below it. */
export const setNewspaper = () => [
  ...setLine('Harbour news', 54, 120),
  ...setLine('May', 480, 120),
  ...setColumn(54, 0),
  ...setColumn(290, 3),
];
