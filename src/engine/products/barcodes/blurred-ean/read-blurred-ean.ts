import { type Raster, turnRaster } from '../../../stages/picture/raster.js';
import type { BarcodeFormat } from '../barcode.js';
import type { FoundBarcode } from '../zxing.js';
import { decodeDigits } from './decode-digits.js';
import { type Place, placeCode } from './place-code.js';
import { findStretches, profileOf } from './strips.js';

/** Strips that a picture is cut into, and least rows of one. */
const STRIPS = 40;
const MIN_STRIP_ROWS = 4;
/** Strips that give the same digits. */
const MIN_EQUAL_STRIPS = 2;
/** Likeness of a place to a code from which its digits are looked at. */
const MIN_PLACE_LIKENESS = 0.75;
/** Stretches that are looked at in a picture: a drawing may be full of them. */
const MAX_STRETCHES = 240;

/** A strip of the picture that was decoded. */
interface DecodedStrip {
  place: Place;
  top: number;
  bottom: number;
  /** True when its digits run from right to left. */
  isReversed: boolean;
}

/**
 * Reads the EAN-13 and UPC-A codes whose bars are too blurred or faint to be told from their gaps one by one, nearly level or
 * upright ones. Each digit is compared with what it would look like through a blur, over many rows at once; digits count where
 * none is in doubt, the check digit is right and two strips of the picture agree.
 */
export function readBlurredEan(raster: Raster, formats: readonly BarcodeFormat[]): FoundBarcode[] {
  const isWanted = (digits: string) =>
    formats.length === 0 || formats.includes('EAN13') || (formats.includes('UPCA') && digits.startsWith('0'));
  if (!isWanted('0')) return [];
  const codes: FoundBarcode[] = [];
  let stretches = 0;
  for (const turn of [0, 90] as const) {
    const turned = turnRaster(raster, turn);
    const rows = Math.max(MIN_STRIP_ROWS, Math.round(turned.height / STRIPS));
    const decoded = new Map<string, DecodedStrip[]>();
    for (let top = 0; top + rows <= turned.height && stretches < MAX_STRETCHES; top += rows) {
      const profile = profileOf(turned, top, rows);
      for (const stretch of findStretches(profile)) {
        stretches++;
        const found = decodeStretch(profile, stretch);
        if (found === undefined) continue;
        const strips = decoded.get(found.digits) ?? [];
        strips.push({ ...found, top, bottom: top + rows });
        decoded.set(found.digits, strips);
      }
    }
    for (const [digits, strips] of decoded)
      if (strips.length >= MIN_EQUAL_STRIPS && isWanted(digits)) codes.push(toFound(digits, strips, turn, raster));
  }
  return codes;
}

function decodeStretch(
  profile: Float32Array,
  [from, to]: [number, number],
): { digits: string; place: Place; isReversed: boolean } | undefined {
  for (const isReversed of [false, true]) {
    const read = isReversed ? profile.slice().reverse() : profile;
    const mirror = (x: number) => profile.length - x;
    const place = isReversed ? placeCode(read, mirror(to), mirror(from)) : placeCode(read, from, to);
    if (place === undefined || place.likeness < MIN_PLACE_LIKENESS) continue;
    const digits = decodeDigits(read, place);
    if (digits === undefined) continue;
    const { x0, x1 } = place;
    return { digits, isReversed, place: isReversed ? { ...place, x0: mirror(x0), x1: mirror(x1) } : place };
  }
  return undefined;
}

/** Describes a code as ZXing does. */
function toFound(
  digits: string,
  strips: readonly DecodedStrip[],
  turn: 0 | 90,
  { height }: { height: number },
): FoundBarcode {
  const [first, last] = [strips[0] as DecodedStrip, strips.at(-1) as DecodedStrip];
  const [upper, lower] = first.isReversed ? [last.bottom, first.top] : [first.top, last.bottom];
  const [head, foot] = first.isReversed ? [last.place, first.place] : [first.place, last.place];
  const back = (x: number, y: number) => (turn === 0 ? { x, y } : { x: y, y: height - x });
  return {
    format: 'EAN13',
    text: digits,
    extra: '',
    contentType: 'Text',
    bytes: Buffer.from(digits),
    symbologyIdentifier: ']E0',
    position: {
      topLeft: back(head.x0, upper),
      topRight: back(head.x1, upper),
      bottomRight: back(foot.x1, lower),
      bottomLeft: back(foot.x0, lower),
    },
    rotation: (first.isReversed ? 180 : 0) - turn,
    sequenceIndex: -1,
    sequenceSize: -1,
    sequenceId: '',
  };
}
