import type { Area } from '../../model/geometry.js';
import type { PageWord } from '../../model/page.js';
import { BLACK, WHITE } from '../picture/correct/contrast.js';
import { cutRaster } from '../picture/correct/cut-raster.js';
import { PALE_INK_SHARE } from '../picture/find/find-letter-sized.js';
import { findPaper, findShade } from '../picture/find/paper.js';
import { type Raster, turnRaster } from '../picture/raster.js';
import type { LetterRow } from './letter-row.js';

/** Rows of a page, one under the other on a sheet of paper. */
export interface RowSheet {
  picture: Raster;
  /** Returns a word of the sheet at its place on the page, with its row; undefined between the rows, and for the sample. */
  place(word: PageWord): { row: LetterRow; word: PageWord } | undefined;
}

/** Paper around a row, and between two rows, by the size of the type. */
const MARGIN_EM = 0.2;
const ROW_GAP_EM = 1;
/** Letters of a row that gets a sample before it, unless it is a number, and the gap to it. */
const MAX_SHORT_LETTERS = 8;
const SAMPLE_GAP_EM = 0.3;
/** Gap to a sign that ends a row, its width and its height: a hyphen, a point. It is no letter, so that the row leaves it out. */
const MAX_SIGN_GAP_EM = 0.2;
const MAX_SIGN_WIDTH_EM = 0.5;
const MAX_SIGN_HEIGHT_EM = 0.3;
/** Depth of a descender; less is an error of the letters' boxes. */
const MIN_DESCENT_EM = 0.1;
/** Share of a row's pixels that are ink. */
const INK_SHARE = 0.03;
/** Share of a row's pixels that are darker than its ground. */
const GROUND_SHARE = 0.6;
const MIN_CONTRAST = 30;

/** Bounds of a sheet: Tesseract takes 32,767 pixels a side. Beyond them, rows of few letters are left out. */
const MAX_HEIGHT_PX = 30_000;
const MAX_PIXELS = 24e6;

/** A row on the sheet. */
interface Strip {
  row: LetterRow;
  /** The part of the page that was cut out. */
  cut: Area;
  /** Place on the sheet. */
  top: number;
  bottom: number;
  left: number;
}

/**
 * Cuts rows out of a page and puts them one under the other, level and in black on white. A recogniser that gets words at their
 * places on a drawing joins those of different heights to lines, and reads no word that runs up. A row is cut out with the sign
 * behind its last letter, of which a part would be read as another one. `sample`: a printed word of the page, which is put before
 * each short row and each number: figures alone do not show how high small letters are, and are read as letters.
 */
export function layOutRows(raster: Raster, rows: readonly LetterRow[], size: number, sample?: Area): RowSheet {
  const [gap, margin] = [Math.round(size * ROW_GAP_EM), Math.round(size * MARGIN_EM)];
  const cutOut = (area: Area) => {
    const cut = {
      x0: Math.max(0, Math.floor(area.x0) - margin),
      y0: Math.max(0, Math.floor(area.y0) - margin),
      x1: Math.min(raster.width, Math.ceil(area.x1) + margin),
      y1: Math.min(raster.height, Math.ceil(area.y1) + margin),
    };
    return { cut, picture: stretch(cutRaster(raster, cut)) };
  };
  const before = sample && cutOut(sample).picture;
  const ink = findPaper(raster) * PALE_INK_SHARE;
  const withLastSign = (row: LetterRow) => ({ ...row, x1: findEnd(raster, row, size, ink) });
  const sampleGap = Math.round(size * SAMPLE_GAP_EM);
  const cuts = chooseRows(rows, 2 * margin + gap).map((row) => {
    const { cut, picture } = cutOut(row.runsUp ? row : withLastSign(row));
    if (row.runsUp) return { row, cut, picture: turnRaster(picture, 90), left: 0, down: 0 };
    const isShort = row.isNumber === true || row.letters <= MAX_SHORT_LETTERS;
    if (before === undefined || !isShort) return { row, cut, picture, left: 0, down: 0 };
    const descent = row.y1 - (row.baseline ?? row.y1);
    const joined = setBeside(before, picture, sampleGap, descent < size * MIN_DESCENT_EM ? 0 : Math.round(descent));
    return {
      ...{ row, cut, picture: joined },
      ...{ left: joined.width - picture.width, down: joined.height - picture.height },
    };
  });
  const width = Math.max(1, ...cuts.map(({ picture }) => picture.width)) + 2 * gap;
  const height = cuts.reduce((sum, { picture }) => sum + picture.height + gap, gap);
  const sheet = { width, height, data: new Uint8Array(width * height).fill(WHITE) };
  const strips: Strip[] = [];
  let top = gap;
  for (const { row, cut, picture, left, down } of cuts) {
    paste(sheet, picture, gap, top);
    strips.push({ row, cut, top: top + down, bottom: top + picture.height, left: gap + left });
    top += picture.height + gap;
  }
  return {
    picture: sheet,
    place(word) {
      const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
      const strip = strips.find(({ top, bottom, left }) => y > top && y < bottom && x > left);
      return strip === undefined ? undefined : { row: strip.row, word: placeWord(word, strip) };
    },
  };
}

/** Finds the end of a row with the sign behind its last letter, if there is one. */
function findEnd({ data, width }: Raster, row: Area, size: number, ink: number): number {
  const [from, to] = [Math.floor(row.y0), Math.ceil(row.y1)];
  const inkAt = (x: number): number[] => {
    const found: number[] = [];
    for (let y = from; y < to; y++) if ((data[y * width + x] ?? WHITE) < ink) found.push(y);
    return found;
  };
  let start = Math.ceil(row.x1);
  const latest = Math.min(width, start + size * MAX_SIGN_GAP_EM);
  while (start < latest && inkAt(start).length === 0) start++;
  let [end, top, bottom] = [start, to, from];
  for (let column = inkAt(end); end < width && column.length > 0; column = inkAt(++end)) {
    top = Math.min(top, ...column);
    bottom = Math.max(bottom, ...column);
    if (end - start > size * MAX_SIGN_WIDTH_EM || bottom - top > size * MAX_SIGN_HEIGHT_EM) return row.x1;
  }
  return end > start ? end : row.x1;
}

/** Sets two pictures beside each other, with the foot of the left one `descent` pixels above that of the right one. */
function setBeside(left: Raster, right: Raster, gap: number, descent: number): Raster {
  const [width, height] = [left.width + gap + right.width, Math.max(left.height + descent, right.height)];
  const joined = { width, height, data: new Uint8Array(width * height).fill(WHITE) };
  paste(joined, left, 0, height - descent - left.height);
  paste(joined, right, left.width + gap, height - right.height);
  return joined;
}

/** Copies a picture into another one, in place. */
function paste(sheet: Raster, { data, width, height }: Raster, left: number, top: number): void {
  for (let y = 0; y < height; y++)
    sheet.data.set(data.subarray(y * width, (y + 1) * width), (top + y) * sheet.width + left);
}

/** Chooses the rows that find room on a sheet, those of many letters first, and keeps their order. */
function chooseRows(rows: readonly LetterRow[], around: number): LetterRow[] {
  let [width, height] = [0, around];
  const chosen = new Set<LetterRow>();
  for (const row of [...rows].sort((a, b) => b.letters - a.letters)) {
    const [across, along] = [row.x1 - row.x0, row.y1 - row.y0];
    height += (row.runsUp ? across : along) + around;
    width = Math.max(width, (row.runsUp ? along : across) + 2 * around);
    if (height > MAX_HEIGHT_PX || height * width > MAX_PIXELS) break;
    chosen.add(row);
  }
  return rows.filter((row) => chosen.has(row));
}

function placeWord(word: PageWord, { row, cut, top, left }: Strip): PageWord {
  const [along, end] = [word.x0 - left, word.x1 - left];
  const [from, to] = [word.y0 - top, word.y1 - top];
  return row.runsUp
    ? { ...word, x0: cut.x0 + from, x1: cut.x0 + to, y0: cut.y1 - end, y1: cut.y1 - along, baseline: cut.y1 - along }
    : {
        ...word,
        x0: cut.x0 + along,
        x1: cut.x0 + end,
        y0: cut.y0 + from,
        y1: cut.y0 + to,
        baseline: word.baseline - top + cut.y0,
      };
}

/** Makes the ground of a row, which most of it has, white and its ink black. */
function stretch(raster: Raster): Raster {
  const { ink, ground } = shadesOf(raster);
  if (ground - ink < MIN_CONTRAST) return raster;
  const scale = (WHITE - BLACK) / (ground - ink);
  return { ...raster, data: raster.data.map((shade) => Math.min(255, Math.max(0, BLACK + (shade - ink) * scale))) };
}

function shadesOf({ data }: Raster): { ink: number; ground: number } {
  const counts = new Uint32Array(256);
  for (const shade of data) counts[shade] = (counts[shade] ?? 0) + 1;
  const shadeAt = (share: number) => findShade(counts, data.length * share);
  return { ink: shadeAt(INK_SHARE), ground: shadeAt(GROUND_SHARE) };
}
