import sharp from 'sharp';
import type { Raster } from '../../dist/engine/stages/picture/raster.js';

/** Letters in the manner of OCR-B, as strokes in a field of 10 by 14: those that the tests set. */
const STROKES: Record<string, string> = {
  A: 'M1 14 L4.5 0 H5.5 L9 14 M2.3 9.5 H7.7',
  B: 'M1.8 0 H6.2 C8.6 0 8.6 6.6 6.2 6.6 H1.8 M1.8 0 V14 H6.4 C9.6 14 9.6 6.6 6.2 6.6',
  C: 'M9 2 C7 -1 1.5 -.5 1.5 7 C1.5 14.5 7 15 9 12',
  D: 'M1.8 0 V14 H4.5 C10.5 14 10.5 0 4.5 0 Z',
  E: 'M8.5 0 H2 V14 H8.5 M2 6.8 H7',
  F: 'M8.5 0 H2 V14 M2 6.8 H7',
  I: 'M2 0 H8 M5 0 V14 M2 14 H8',
  K: 'M2 0 V14 M9 0 L2 8 M4.2 5.8 L9 14',
  L: 'M2 0 V14 H8.5',
  M: 'M1 14 V0 H1.8 L5 6.3 L8.2 0 H9 V14',
  N: 'M1.5 14 V0 L8.5 14 V0',
  O: 'M5 0 C2 0 1.3 2.5 1.3 7 C1.3 11.5 2 14 5 14 C8 14 8.7 11.5 8.7 7 C8.7 2.5 8 0 5 0 Z',
  P: 'M2 14 V0 H5.5 C9.8 0 9.8 7.5 5.5 7.5 H2',
  R: 'M2 14 V0 H5.5 C9.5 0 9.5 7 5.5 7 H2 M5 7 L9 14',
  S: 'M8.5 2 C7 -.8 1.5 -.5 1.8 3.5 C2 7.5 8.5 6 8.5 10.5 C8.5 14.8 3 15 1.3 12',
  T: 'M1 0 H9 M5 0 V14',
  U: 'M1.5 0 V9.5 C1.5 15.5 8.5 15.5 8.5 9.5 V0',
  Z: 'M1.5 0 H8.5 L1.5 14 H8.5',
  0: 'M4 -1 C1 -1 1 1.5 1 7 C1 12.5 1 14.5 4 14.5 H6 C9 14.5 9 12.5 9 7 C9 1.5 9 -1 6 -1 Z',
  1: 'M2.5 2.2 L6 -1 V14.3',
  2: 'M1.8 1 C4 -1.8 9 -1.5 9 2.8 C9 7 1.5 9 1.5 14.3 H9',
  3: 'M1.5 -1 H8.5 L4.5 5 C10.5 5 10.5 14.5 4.5 14.5 C3 14.5 2 14 1.2 13.2',
  4: 'M5.5 -1 L1 10 H9.5 M7 6.5 V14.3',
  5: 'M8.5 -1 H2.5 L2 6 C10 3.8 10.5 14.5 4.5 14.5 C3 14.5 2 14 1.2 13.2',
  6: 'M6.5 -1 C3 2.5 1 7 1 10 C1 16 9.2 16 9.2 10 C9.2 5.5 4 4.8 2 8',
  7: 'M1 -1 H9 V1 C5.5 6 4.5 9 4.5 14.3',
  8: 'M5 -1 C.8 -1 .8 6.3 5 6.3 C9.2 6.3 9.2 -1 5 -1 Z M5 6.3 C-.5 6.3 -.5 14.5 5 14.5 C10.5 14.5 10.5 6.3 5 6.3 Z',
  9: 'M3.5 14.3 C7 11 9 6.5 9 3.5 C9 -2.5 .8 -2.5 .8 3.5 C.8 8 6 8.7 8 5.5',
  '<': 'M8.8 2 L1.5 7 L8.8 12',
};

const [PITCH_PX, LINE_PX, LEFT_PX] = [44, 100, 60];
const LETTER_SCALE = 2.7;

/** Draws a page of identity with the lines of a zone on a ground of pale curves, and returns the top of its first line. */
export async function drawZone(lines: readonly string[]): Promise<{ raster: Raster; top: number }> {
  const [width, height] = [2 * LEFT_PX + 44 * PITCH_PX, 1_400];
  const top = height - 100 - lines.length * LINE_PX;
  const curves = Array.from({ length: 40 }, (_, index) => {
    const y = index * 36;
    return `<path d="M0 ${y} Q 500 ${y - 90} 1000 ${y} T ${width} ${y}" stroke="rgb(190,205,215)" stroke-width="6" fill="none"/>`;
  });
  const letters = lines.flatMap((line, row) =>
    [...line].map((letter, column) => {
      const place = `translate(${LEFT_PX + column * PITCH_PX + 8} ${top + row * LINE_PX}) scale(${LETTER_SCALE})`;
      return `<path transform="${place}" d="${STROKES[letter] ?? ''}"/>`;
    }),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="rgb(225,230,235)"/>${curves.join('')}
    <g stroke="#222" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" fill="none">${letters.join('')}</g></svg>`;
  const picture = sharp(Buffer.from(svg)).greyscale().blur(1.2).toColourspace('b-w');
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { raster: { data, width: info.width, height: info.height }, top };
}
