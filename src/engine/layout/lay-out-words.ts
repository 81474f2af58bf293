import type { RawWord } from '../pdf/read-words.js';
import { buildBlocks } from './blocks.js';
import type { LaidPage } from './classify.js';
import { joinFragments, type PlacedWord } from './fragment.js';
import { buildLines } from './lines.js';
import { splitColumns } from './reading-order.js';

/**
 * Text-layer words → blocks in reading order. The page is turned so that most of its text stands upright; text of
 * another direction (a stamp along the margin) comes last.
 * `rotation` is the clockwise turn, in degrees, from the displayed page to the page as it is read.
 */
export function layOutWords(words: readonly RawWord[], width: number, height: number): LaidPage & { rotation: number } {
  const main = mainAngle(words);
  const turned = main % 180 !== 0;
  const page = { width: turned ? height : width, height: turned ? width : height };
  const blocks = [];
  for (const angle of [main, ...[0, 90, 180, 270].filter((other) => other !== main)]) {
    const placed = words.filter((word) => word.angle === angle).map((word) => place(word, width, height));
    if (placed.length === 0) continue;
    const regions = splitColumns(joinFragments(placed));
    const laid = regions.flatMap((region) => buildBlocks(buildLines(region)));
    if (angle !== main) for (const block of laid) turnBlock(block.lines, angle, main, width, height);
    blocks.push(...laid);
  }
  return { ...page, blocks, rotation: (360 - main) % 360 };
}

/** The direction of most of the characters. */
function mainAngle(words: readonly RawWord[]): number {
  const characters = [0, 0, 0, 0];
  for (const { angle, text } of words) characters[angle / 90] = (characters[angle / 90] ?? 0) + text.length;
  return characters.indexOf(Math.max(...characters)) * 90;
}

type Corners = { x0: number; y0: number; x1: number; y1: number };

/** A word of the displayed page in the frame in which its glyphs stand upright. */
function place(word: RawWord, width: number, height: number): PlacedWord {
  const box = turnBox(word, word.angle, width, height);
  const [, baseline] = turnPoint(word.originX, word.originY, word.angle, width, height);
  const { text, fontSize, bold, italic } = word;
  return { text, ...box, baseline, fontSize, bold, italic, confidence: null };
}

/** Undoes a clockwise turn of `angle` degrees about the page. */
function turnPoint(x: number, y: number, angle: number, width: number, height: number): [number, number] {
  if (angle === 90) return [y, width - x];
  if (angle === 180) return [width - x, height - y];
  if (angle === 270) return [height - y, x];
  return [x, y];
}

function turnBox(box: Corners, angle: number, width: number, height: number): Corners {
  const [ax, ay] = turnPoint(box.x0, box.y0, angle, width, height);
  const [bx, by] = turnPoint(box.x1, box.y1, angle, width, height);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}

/** Boxes of text in another direction, from that direction's frame to the page's. */
function turnBlock(lines: { words: PlacedWord[] }[], from: number, to: number, width: number, height: number): void {
  const sideways = from % 180 !== 0;
  const back = (360 - from) % 360;
  for (const word of lines.flatMap((line) => line.words)) {
    const displayed = turnBox(word, back, sideways ? height : width, sideways ? width : height);
    Object.assign(word, turnBox(displayed, to, width, height));
  }
}
