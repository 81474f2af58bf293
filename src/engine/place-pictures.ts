import type { Block, Box, Line, Page } from './model/document.js';
import { shareOf, toBox } from './model/page-transform.js';
import type { ReadPicture } from './reading/reading.js';
import { layOutDocument } from './stages/layout/lay-out-document.js';
import { refineRecognised } from './stages/recognise/refine/refine-pages.js';

/** Adds the print of a page's pictures, each behind its figure. The page's own blocks stay as they are: type in a picture says nothing of the type of the text. */
export function placePictures(page: Page, pictures: readonly ReadPicture[]): Page {
  const blocks = [...page.blocks];
  for (const picture of pictures)
    blocks.splice(findPlace(blocks, toBox(picture.area, page)), 0, ...layOut(picture, page));
  return { ...page, blocks };
}

/** Returns the index behind the last figure in the box; that of the end where there is none. */
function findPlace(blocks: readonly Block[], box: Box): number {
  const figure = blocks.findLastIndex(({ kind, box: own }) => kind === 'figure' && holdsMiddle(box, own));
  return figure === -1 ? blocks.length : figure + 1;
}

const holdsMiddle = ([x0, y0, x1, y1]: Box, other: Box): boolean => {
  const [x, y] = [(other[0] + other[2]) / 2, (other[1] + other[3]) / 2];
  return x > x0 && x < x1 && y > y0 && y < y1;
};

/** Lays a picture out as a page of its own, and moves the result to its place. */
function layOut(picture: ReadPicture, page: Page): Block[] {
  const [content = picture.content] = refineRecognised([picture.content]);
  const [blocks = []] = layOutDocument([{ number: page.number, content }]);
  const [x0, y0, x1, y1] = toBox(picture.area, page);
  const [width, height] = [x1 - x0, y1 - y0];
  const move = (box: Box): Box => [
    shareOf(x0 + box[0] * width, 1),
    shareOf(y0 + box[1] * height, 1),
    shareOf(x0 + box[2] * width, 1),
    shareOf(y0 + box[3] * height, 1),
  ];
  const scale = picture.content.width / content.width;
  const moveLine = (line: Line): Line => ({
    ...line,
    box: move(line.box),
    fontSize: line.fontSize * scale,
    words: line.words.map((word) => ({ ...word, box: move(word.box) })),
  });
  return blocks.map((block) => ({
    ...asText(block),
    turned: true,
    box: move(block.box),
    lines: block.lines.map(moveLine),
    ...(block.table !== undefined && {
      table: {
        ...block.table,
        cells: block.table.cells.map((cell) => ({
          ...cell,
          box: move(cell.box),
          lines: cell.lines.map(moveLine),
        })),
      },
    }),
  }));
}

/** Headings, headers and footers in a picture are none of the document's. */
function asText({ level: _, ...block }: Block): Block {
  return ['heading', 'header', 'footer', 'footnote'].includes(block.kind) ? { ...block, kind: 'paragraph' } : block;
}
