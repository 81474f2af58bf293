import { countBy, mostCounted } from '../model/counts.js';
import { countCharacters } from '../model/fragment.js';
import type { Area } from '../model/geometry.js';
import type { PageBlock } from '../model/page.js';
import { createDistortion, createTurn, type PageSize } from '../model/page-transform.js';
import { cutPieces, type Piece } from '../stages/picture/correct/cut-pieces.js';
import type { Raster } from '../stages/picture/raster.js';
import { isLong } from '../stages/picture/recognition-scale.js';
import { RecognitionTimeout } from '../stages/recognise/native-engine.js';
import type { Recogniser, Recognition } from '../stages/recognise/recogniser.js';

/** The recognition of a page in pieces. */
export interface ReadInPieces extends Recognition {
  /** Warning for users about the share that was not read. */
  unread?: string;
}

interface ReadPiece {
  piece: Piece;
  found: Recognition;
}

/** Time of a long page, in times of a page. The default `documentTimeoutMs` is longer; it would end the document without a result. */
const MAX_TIME_IN_PAGES = 10;

/**
 * Reads a picture that is much longer than a page in pieces of a page's length. Skew, bend and rules are measured for each
 * piece, memory and time are those of one page, and an unreadable piece leaves the others. Each piece may take as long as the
 * whole has until `deadline`. `onInterim` is called after each piece (with `movesOn`).
 */
export async function readPieces(
  recogniser: Recogniser,
  raster: Raster,
  deadline: number,
  onInterim: (interim: ReadInPieces, movesOn: boolean) => void,
): Promise<ReadInPieces> {
  const pieces = isLong(raster) ? cutPieces(raster) : [];
  if (pieces.length < 2) return await recogniser.recognise(raster, deadline, (interim) => onInterim(interim, false));
  const start = performance.now();
  const time = deadline - start;
  const read: ReadPiece[] = [];
  let late: RecognitionTimeout | undefined;
  for (const [index, piece] of pieces.entries()) {
    const now = performance.now();
    if (now - start > time * MAX_TIME_IN_PAGES) break;
    const rest = pieces.length - index - 1;
    let interim: Recognition | undefined;
    const keep = (found: Recognition) => {
      interim = found;
      onInterim(join([...read, { piece, found }], raster, rest / pieces.length), false);
    };
    try {
      read.push({ piece, found: await recogniser.recognise(piece.raster, now + time, keep) });
    } catch (error) {
      if (!(error instanceof RecognitionTimeout)) throw error;
      late = error;
      if (interim !== undefined) read.push({ piece, found: interim });
    }
    if (rest > 0 && read.length > 0) onInterim(join(read, raster, 1 - read.length / pieces.length), true);
  }
  if (read.length === 0) throw late;
  return join(read, raster, 1 - read.length / pieces.length);
}

/** Joins the pieces to a page. `unread`: share of the pieces that is missing. */
function join(read: readonly ReadPiece[], whole: Raster, unread: number): ReadInPieces {
  const rotation = usualRotation(read);
  const turnedWhole = turnOn({ x0: 0, y0: 0, x1: whole.width, y1: whole.height }, whole, rotation);
  const placed = read.map((part) => placePiece(part, whole, rotation));
  placed.sort((a, b) => a.place.y0 - b.place.y0 || a.place.x0 - b.place.x0);
  return {
    provider: [...new Set(read.map(({ found }) => found.provider))].join('+'),
    blocks: placed.flatMap(({ blocks }) => blocks),
    rules: placed.flatMap(({ rules }) => rules),
    shades: placed.flatMap(({ shades }) => shades),
    width: turnedWhole.x1,
    height: turnedWhole.y1,
    rotation,
    isUnsure: read.every(({ found }) => found.isUnsure === true),
    ...joinHandwriting(read),
    ...(unread > 0 && { unread: `it is very long, and ${Math.ceil(unread * 100)} % of it could not be read in time` }),
  };
}

function joinHandwriting(read: readonly ReadPiece[]): Pick<ReadInPieces, 'handwriting'> {
  const found = read.flatMap(({ found }) => found.handwriting ?? []);
  if (found.length === 0) return {};
  const words = found.reduce((sum, piece) => sum + piece.words, 0);
  return { handwriting: { words, isMost: found.length === read.length && found.every(({ isMost }) => isMost) } };
}

/** Returns the rotation of most characters. */
function usualRotation(read: readonly ReadPiece[]): number {
  const counts = countBy(
    read,
    ({ found }) => found.rotation,
    ({ found }) => found.blocks.flatMap(({ lines }) => lines).reduce((sum, line) => sum + countCharacters(line), 0),
  );
  return mostCounted(counts, 0);
}

/** Places the reading of a piece on the page that is turned by `rotation`. */
function placePiece({ piece, found }: ReadPiece, whole: Raster, rotation: number) {
  const { width, height } = piece.raster;
  const { x0, y0 } = piece;
  const place = turnOn({ x0, y0, x1: x0 + width, y1: y0 + height }, whole, rotation);
  const more = (rotation - found.rotation + 360) % 360;
  const distort = createDistortion(found, found);
  const move = (area: Area): Area => {
    const turned = turnOn(distort(area), found, more);
    return {
      x0: turned.x0 + place.x0,
      x1: turned.x1 + place.x0,
      y0: turned.y0 + place.y0,
      y1: turned.y1 + place.y0,
    };
  };
  const put = <Part extends Area & { baseline: number }>(part: Part): Part => {
    const area = move(part);
    return { ...part, ...area, baseline: more === 0 ? part.baseline + area.y1 - part.y1 : area.y1 };
  };
  const blocks: PageBlock[] = found.blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({ ...put(line), words: line.words.map(put) })),
  }));
  return { place, blocks, rules: (found.rules ?? []).map(move), shades: (found.shades ?? []).map(move) };
}

/** Returns an area after its page is turned clockwise. */
const turnOn = (area: Area, page: PageSize, degrees: number): Area =>
  createTurn((360 - degrees) % 360, page).fromPage(area);
