import type { TextLayerVerdict } from '../model/document.js';
import type { Area } from '../model/geometry.js';
import type { CheckMark, PageWord } from '../model/page.js';
import { turnWords, type UprightPage } from '../stages/text-layer/place-words.js';
import type { UnreadPicture } from '../stages/text-layer/unread-pictures.js';

/** A page's text layer, read and judged. */
export interface TextLayerPage {
  /** From 1. */
  number: number;
  content: UprightPage;
  textLayer: TextLayerVerdict;
  /** True when the page has drawings that may contain text. */
  holdsMore: boolean;
  /** Names of the fonts that its text needs and the file lacks. */
  absentFonts: string[];
  /** Pictures with lines of print that its text layer does not have. */
  printed: UnreadPicture[];
}

/**
 * A TextLayerPage in the form that is sent between threads: copying an object for each word of a book takes three times as
 * long as copying numbers and one text.
 */
export interface PackedPage {
  number: number;
  textLayer: TextLayerVerdict;
  holdsMore: boolean;
  absentFonts: string[];
  printed: UnreadPicture[];
  width: number;
  height: number;
  rotation: number;
  /** Number of the upright words, then of the words of each other direction. */
  counts: number[];
  /** Angle of each direction after the first, in degrees. */
  angles: number[];
  /** Texts of the words, joined by line feeds, which no word contains. */
  texts: string;
  /** Seven numbers for each word. */
  numbers: Float64Array;
  flags: Uint8Array;
  /** Index of a word, and the target of its link. */
  links: [number, string][];
  /** Index of a word, and the box to check beside it. */
  checks: [number, CheckMark][];
  /** Four numbers for each rule. */
  rules: Float64Array;
  images: Float64Array;
  shades: Float64Array;
  boxes: Float64Array;
}

/** The form in which each property of a word is sent; a new property does not compile until it is listed here. */
type Form = 'text' | 'number' | 'link' | 'check' | 'none' | 1 | 2 | 4 | 8 | 16 | 32 | 64;
const FORMS = {
  ...{ text: 'text', link: 'link', check: 'check' },
  ...{ x0: 'number', y0: 'number', x1: 'number', y1: 'number', baseline: 'number', fontSize: 'number', face: 'number' },
  ...{ bold: 1, italic: 2, glued: 4, pictorial: 8, monospaced: 16, artifact: 32, beginsCell: 64 },
  // These are null in a text layer, or set by the layout.
  ...{ confidence: 'none', raised: 'none', stacked: 'none', leader: 'none', box: 'none' },
} as const satisfies Required<Record<keyof PageWord, Form>>;
const NUMBERS = 7;
/** Face of a word without a font. */
const NO_FACE = 0;

export function packPage({ content, ...page }: TextLayerPage): PackedPage {
  const lists = [content.words, ...content.turned.map(({ words }) => words)];
  const counts = lists.map(({ length }) => length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const texts: string[] = [];
  const numbers = new Float64Array(total * NUMBERS);
  const flags = new Uint8Array(total);
  const links: [number, string][] = [];
  const checks: [number, CheckMark][] = [];
  let at = 0;
  for (const word of lists.flat()) {
    const { text, x0, y0, x1, y1, baseline, fontSize, face, link, check } = word;
    const first = at * NUMBERS;
    numbers[first] = x0;
    numbers[first + 1] = y0;
    numbers[first + 2] = x1;
    numbers[first + 3] = y1;
    numbers[first + 4] = baseline;
    numbers[first + 5] = fontSize;
    numbers[first + 6] = face ?? NO_FACE;
    flags[at] = flagsOf(word);
    if (link !== undefined) links.push([at, link]);
    if (check !== undefined) checks.push([at, check]);
    texts.push(text);
    at++;
  }
  const { width, height, rotation, turned, rules, images, shades, boxes } = content;
  return {
    ...{ ...page, width, height, rotation, counts, numbers, flags, links, checks },
    angles: turned.map(({ angle }) => angle),
    texts: texts.join('\n'),
    rules: packAreas(rules),
    images: packAreas(images),
    shades: packAreas(shades),
    boxes: packAreas(boxes),
  };
}

/** Lists the buffers that `postMessage` moves instead of copying. */
export function transferablesOf({ numbers, flags, rules, images, shades, boxes }: PackedPage): ArrayBuffer[] {
  return [numbers, flags, rules, images, shades, boxes].map(({ buffer }) => buffer as ArrayBuffer);
}

export function unpackPage(packed: PackedPage): TextLayerPage {
  const { number, textLayer, holdsMore, absentFonts, printed, width, height, rotation, counts, angles } = packed;
  const texts = packed.texts.split('\n');
  const words: PageWord[] = [];
  for (let at = 0; at < packed.flags.length; at++) words.push(unpackWord(packed, at, texts[at] ?? ''));
  for (const [at, url] of packed.links) (words[at] as PageWord).link = url;
  for (const [at, check] of packed.checks) (words[at] as PageWord).check = check;
  let from = counts[0] ?? 0;
  const turned = angles.map((angle, index) => {
    const start = from;
    from += counts[index + 1] ?? 0;
    return turnWords(words.slice(start, from), angle, { width, height, rotation });
  });
  const upright = angles.length === 0 ? words : words.slice(0, counts[0]);
  const areas = {
    rules: unpackAreas(packed.rules),
    images: unpackAreas(packed.images),
    shades: unpackAreas(packed.shades),
    boxes: unpackAreas(packed.boxes),
  };
  const content = { width, height, rotation, words: upright, turned, ...areas };
  return { number, content, textLayer, holdsMore, absentFonts, printed };
}

function flagsOf({ bold, italic, glued, pictorial, monospaced, artifact, beginsCell }: PageWord): number {
  return (
    (bold ? FORMS.bold : 0) |
    (italic ? FORMS.italic : 0) |
    (glued ? FORMS.glued : 0) |
    (pictorial ? FORMS.pictorial : 0) |
    (monospaced ? FORMS.monospaced : 0) |
    (artifact ? FORMS.artifact : 0) |
    (beginsCell ? FORMS.beginsCell : 0)
  );
}

function unpackWord({ numbers, flags: allFlags }: PackedPage, at: number, text: string): PageWord {
  const first = at * NUMBERS;
  const flags = allFlags[at] ?? 0;
  const word: PageWord = {
    text,
    x0: numbers[first] ?? 0,
    y0: numbers[first + 1] ?? 0,
    x1: numbers[first + 2] ?? 0,
    y1: numbers[first + 3] ?? 0,
    baseline: numbers[first + 4] ?? 0,
    fontSize: numbers[first + 5] ?? 0,
    bold: (flags & FORMS.bold) !== 0,
    italic: (flags & FORMS.italic) !== 0,
    confidence: null,
  };
  const face = numbers[first + 6] ?? NO_FACE;
  if (face !== NO_FACE) word.face = face;
  if ((flags & FORMS.glued) !== 0) word.glued = true;
  if ((flags & FORMS.pictorial) !== 0) word.pictorial = true;
  if ((flags & FORMS.monospaced) !== 0) word.monospaced = true;
  if ((flags & FORMS.artifact) !== 0) word.artifact = true;
  if ((flags & FORMS.beginsCell) !== 0) word.beginsCell = true;
  return word;
}

function packAreas(areas: readonly Area[]): Float64Array {
  return Float64Array.from(areas.flatMap(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]));
}

function unpackAreas(numbers: Float64Array): Area[] {
  const areas: Area[] = [];
  for (let at = 0; at + 3 < numbers.length; at += 4) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbers.subarray(at, at + 4);
    areas.push({ x0, y0, x1, y1 });
  }
  return areas;
}
