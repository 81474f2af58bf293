import type { Block, Box, Line, Word } from '../../../model/document.js';
import type { Area } from '../../../model/geometry.js';
import type { PageBlock, PageLayout, PageLine } from '../../../model/page.js';
import { createDistortion, toBox, unite } from '../../../model/page-transform.js';
import { withCheck } from '../../../model/with-check.js';
import { lineText } from '../lines/lines.js';
import { isPadded, standTogether } from '../lines/unspaced.js';
import { isNoItem, type Lists } from '../lists/lists.js';
import { placeCells } from '../tables/place-cells.js';
import { showPicture } from './pictures.js';

/** An area of the page in its units → its box on the page as it is displayed. */
type BoxOf = (area: Area) => Box;

/** Turns the blocks of a page to blocks of the document: kinds, boxes of 0-1, and the levels of `headings`. */
export function classifyBlocks(page: PageLayout, headings: ReadonlyMap<PageBlock, number>, lists: Lists): Block[] {
  const body = page.blocks.filter(isBody).flatMap(({ lines }) => lines);
  lists.turnPage(body.reduce((left, { x0 }) => Math.min(left, x0), Infinity));
  const distort = page.distortion && createDistortion(page.distortion, page);
  const boxOf: BoxOf = (area) => toBox(distort === undefined ? area : distort(area), page);
  const blocks = page.blocks.map((block, index): Block => {
    const level = headings.get(block);
    const mayBeItem = block.kind === undefined && level === undefined && !block.code;
    const item = mayBeItem && !isNoItem(page.blocks, index) ? lists.take(block) : undefined;
    if (item === undefined && isBody(block)) lists.passBy(block);
    if (block.area !== undefined) return { kind: 'figure', box: boxOf(block.area), lines: [] };
    const turned = block.turned && { turned: true };
    if (block.table !== undefined) return { ...toTable(block.table, boxOf), ...turned };
    const lines = toModelLines(block.lines, boxOf);
    const box = unite(lines.map((line) => line.box));
    if (level !== undefined) return { kind: 'heading', box, lines, level };
    if (item !== undefined) return { kind: 'list-item', box, lines, ...item };
    const placed: Block = { kind: block.kind ?? 'paragraph', box, lines, ...turned };
    if (block.code) placed.code = true;
    return placed;
  });
  return joinChapters(blocks);
}

const isBody = ({ kind }: PageBlock): boolean => kind !== 'header' && kind !== 'footer';

const CHAPTER = /^\p{L}+ (?:\d{1,3}|[IVXLC]{1,6}|[A-Z])$/u;

/** Joins "Chapter 1" and the title below it to one heading. */
function joinChapters(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.level !== undefined && block.level !== undefined && isChapter(last) && !isChapter(block)) {
      last.level = Math.min(last.level, block.level);
      last.lines.push(...block.lines);
      last.box = unite([last.box, block.box]);
    } else joined.push(block);
  }
  return joined;
}

const isChapter = ({ lines: [line, second] }: Block): boolean =>
  line !== undefined && second === undefined && CHAPTER.test(lineText(line));

function toTable(laid: NonNullable<PageBlock['table']>, boxOf: BoxOf): Block {
  const { rows, columns } = laid;
  const cells = placeCells(laid).map(({ area, lines, ...place }) => ({
    ...{ ...place, box: boxOf(area) },
    lines: toModelLines(lines, boxOf),
  }));
  cells.sort((a, b) => a.row - b.row || a.column - b.column);
  const lines = cells.flatMap((cell) => cell.lines);
  // Words may stand out of their cells a little.
  const box = unite([...cells, ...lines].map((part) => part.box));
  return { kind: 'table', box, lines, table: { rows, columns, cells } };
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SUPERSCRIPT_SIGNS: Readonly<Record<string, string>> = { '-': '⁻', '−': '⁻', '+': '⁺' };

const toSuperscripts = (text: string): string =>
  /^[-−+]?\d+\D*$/.test(text)
    ? text.replace(/[-−+\d]/g, (sign) => SUPERSCRIPT_SIGNS[sign] ?? SUPERSCRIPTS.charAt(Number(sign)))
    : text;

const toModelLines = (lines: readonly PageLine[], boxOf: BoxOf): Line[] =>
  lines.map((line, index) => toModelLine(line, boxOf, lines[index - 1]));

function toModelLine(line: PageLine, boxOf: BoxOf, above: PageLine | undefined): Line {
  const words = line.words.flatMap((word, index) => {
    const text = word.pictorial || /^[\ue000-\uf8ff]$/.test(word.text) ? showPicture(word.text) : word.text;
    const shown: Word = { text, box: boxOf(word), confidence: word.confidence };
    if (word.bold) shown.bold = true;
    if (word.italic) shown.italic = true;
    if (line.apart.has(index)) shown.apart = true;
    const before = index === 0 ? above?.words.at(-1) : line.words[index - 1];
    if (
      word.glued ||
      (before !== undefined && !shown.apart && standTogether(before, word, index === 0)) ||
      (before !== undefined && index > 0 && isPadded(before, word))
    )
      shown.glued = true;
    if (word.raised) shown.raised = true;
    // An exponent, or the mark of a note, would change the value of the figure.
    if (shown.raised && shown.glued && /\d\D?$/.test(before?.text ?? '')) shown.text = toSuperscripts(text);
    if (word.link !== undefined) shown.link = word.link;
    return withCheck(shown, word, line.direction, boxOf);
  });
  return { box: unite(words.map(({ box }) => box)), words, fontSize: line.fontSize, direction: line.direction };
}
