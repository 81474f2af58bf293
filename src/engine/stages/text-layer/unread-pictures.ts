import { type Area, boundsOf, holdsMiddle, overlap, sharedBy, sizeOfArea } from '../../model/geometry.js';
import type { PdfPage } from './read-page.js';

/** A picture without text of its own, in points of the displayed page. */
export interface UnreadPicture extends Area {
  /** Number of its pixels. */
  pixels: number;
}

/** Share of the page: smaller pictures are logos, stamps and ornaments. */
const MIN_PAGE_SHARE = 0.04;
/** Pixels that two lines of legible print take, and those of a page of 350 pixels an inch: decoding more takes longer than reading many pages. */
const MIN_PIXELS = 50_000;
const MAX_PIXELS = 12e6;
/** Pieces; a page of more is a drawing made of images. */
const MAX_PIECES = 200;
/** Distance of pieces of one picture, in points. */
const MAX_SEAM = 1;
/** The largest ones of a page are taken. */
const MAX_PICTURES = 4;

/** Finds the large pictures of a page that no word of its text layer stands on. Programs cut a picture into strips and tiles: pieces that touch are one. */
export function findUnreadPictures({ layer, drawing, width, height }: PictureSource): UnreadPicture[] {
  const page = { x0: 0, y0: 0, x1: width, y1: height };
  const pieces = drawing.images.filter((image) => image.pixels > 0 && overlap(image, page));
  if (pieces.length === 0 || pieces.length > MAX_PIECES) return [];
  return joinPieces(pieces.map((piece) => ({ ...sharedBy(piece, page), pixels: piece.pixels })))
    .filter((picture) => isLarge(picture, page) && !layer.words.some((word) => holdsMiddle(picture, word)))
    .sort((a, b) => sizeOfArea(b) - sizeOfArea(a))
    .slice(0, MAX_PICTURES);
}

/** The parts of a PdfPage that show its pictures. */
type PictureSource = Pick<PdfPage, 'width' | 'height'> & {
  layer: { words: readonly Area[] };
  drawing: { images: readonly UnreadPicture[] };
};

const isLarge = (picture: UnreadPicture, page: Area): boolean =>
  picture.pixels >= MIN_PIXELS &&
  picture.pixels <= MAX_PIXELS &&
  sizeOfArea(picture) >= sizeOfArea(page) * MIN_PAGE_SHARE;

function joinPieces(pieces: readonly UnreadPicture[]): UnreadPicture[] {
  const joined: UnreadPicture[] = [];
  for (const piece of pieces) {
    let whole = piece;
    // A piece may touch several pictures, which become one.
    for (let index = joined.length - 1; index >= 0; index--) {
      const other = joined[index];
      if (other === undefined || !overlap(whole, other, -MAX_SEAM)) continue;
      whole = { ...boundsOf([whole, other]), pixels: whole.pixels + other.pixels };
      joined.splice(index, 1);
      index = joined.length;
    }
    joined.push(whole);
  }
  return joined;
}

/** Returns the resolution of a picture, in pixels a point. */
export const resolutionOf = (picture: UnreadPicture): number => Math.sqrt(picture.pixels / sizeOfArea(picture));
