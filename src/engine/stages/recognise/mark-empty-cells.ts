import { overlap } from '../../model/geometry.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { findLoneSign } from '../picture/find/find-lone-sign.js';
import { findPaper } from '../picture/find/paper.js';
import type { Raster } from '../picture/raster.js';
import { findEmptyCells } from './empty-cells.js';
import { mergeWords } from './merge-readings.js';

/** Confidence of a sign that was found by its shape and by the column it stands in. */
const SIGN_CONFIDENCE = 0.9;

/** Adds the dashes and dots that stand for a value in cells of tables: a recogniser takes them for specks. */
export function markEmptyCells(raster: Raster, blocks: PageBlock[]): PageBlock[] {
  const cells = findEmptyCells(wordsOf(blocks));
  if (cells.length === 0) return blocks;
  const paper = findPaper(raster);
  const found: PageWord[] = [];
  for (const cell of cells) {
    const { beside } = cell;
    const lone = findLoneSign(raster, cell, { paper, size: beside.fontSize, baseline: beside.baseline });
    if (lone === undefined || found.some((word) => overlap(word, lone))) continue;
    const { sign, x0, x1 } = lone;
    found.push({ ...beside, x0, x1, text: sign, confidence: SIGN_CONFIDENCE, bold: false, italic: false });
  }
  return found.length === 0 ? blocks : mergeWords(blocks, found);
}
