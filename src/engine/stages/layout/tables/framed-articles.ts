import type { PageCell } from '../../../model/page.js';
import { fillsLine } from '../lines/line-room.js';
import { isBold } from '../lines/lines.js';

const MIN_TEXT_LINES = 2;

/** Returns the boxes with a bold title and lines below it that reach the right side, as text does and a column of cells does not. */
export const articlesAmong = (cells: readonly PageCell[]): PageCell[] => cells.filter(isArticle);

function isArticle({ lines, area }: PageCell): boolean {
  const [title, ...text] = lines;
  const [first] = text;
  if (title === undefined || first === undefined || text.length < MIN_TEXT_LINES || area === undefined) return false;
  if (!isBold(title) || text.some(isBold)) return false;
  const right = area.x1 - (first.x0 - area.x0);
  return text.every((line, index) => {
    const previous = text[index - 1];
    return previous === undefined || fillsLine(line, previous, right);
  });
}
