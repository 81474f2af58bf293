import type { Area } from '../../model/geometry.js';
import type { PageWord } from '../../model/page.js';
import { BLACK, WHITE } from '../picture/correct/contrast.js';
import { cutRaster } from '../picture/correct/cut-raster.js';
import { findShade } from '../picture/find/paper.js';
import { type Raster, turnRaster } from '../picture/raster.js';
import type { LetterRow } from './letter-row.js';

/** Rows of a page, one under the other on a sheet of paper. */
export interface RowSheet {
  picture: Raster;
  /** Returns a word of the sheet at its place on the page, with its row; undefined between the rows. */
  place(word: PageWord): { row: LetterRow; word: PageWord } | undefined;
}

/** Paper around a row, and between two rows, by the size of the type. */
const MARGIN_EM = 0.2;
const ROW_GAP_EM = 1;
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
}

/**
 * Cuts rows out of a page and puts them one under the other, level and in black on white. A recogniser that gets words at their
 * places on a drawing joins those of different heights to lines, and reads no word that runs up.
 */
export function layOutRows(raster: Raster, rows: readonly LetterRow[], size: number): RowSheet {
  const [gap, margin] = [Math.round(size * ROW_GAP_EM), Math.round(size * MARGIN_EM)];
  const cuts = chooseRows(rows, 2 * margin + gap).map((row) => {
    const cut = {
      x0: Math.max(0, Math.floor(row.x0) - margin),
      y0: Math.max(0, Math.floor(row.y0) - margin),
      x1: Math.min(raster.width, Math.ceil(row.x1) + margin),
      y1: Math.min(raster.height, Math.ceil(row.y1) + margin),
    };
    const picture = stretch(cutRaster(raster, cut));
    return { row, cut, picture: row.runsUp ? turnRaster(picture, 90) : picture };
  });
  const width = Math.max(1, ...cuts.map(({ picture }) => picture.width)) + 2 * gap;
  const height = cuts.reduce((sum, { picture }) => sum + picture.height + gap, gap);
  const sheet = { width, height, data: new Uint8Array(width * height).fill(WHITE) };
  const strips: Strip[] = [];
  let top = gap;
  for (const { row, cut, picture } of cuts) {
    for (let y = 0; y < picture.height; y++)
      sheet.data.set(picture.data.subarray(y * picture.width, (y + 1) * picture.width), (top + y) * width + gap);
    strips.push({ row, cut, top, bottom: top + picture.height });
    top += picture.height + gap;
  }
  return {
    picture: sheet,
    place(word) {
      const middle = (word.y0 + word.y1) / 2;
      const strip = strips.find(({ top, bottom }) => middle > top && middle < bottom);
      return strip === undefined ? undefined : { row: strip.row, word: placeWord(word, strip, gap) };
    },
  };
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

function placeWord(word: PageWord, { row, cut, top }: Strip, left: number): PageWord {
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
