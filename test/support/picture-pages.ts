import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { images } from '../fixtures/manifest.js';
import { writePdf } from './write-pdf.js';

/** A grey picture on a page of 600 x 800 points, from its lower left. */
export interface PlacedPicture {
  jpeg: Buffer;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The place of a picture in the middle of the page, below its typed line. */
const MIDDLE = { x: 60, y: 400, width: 480, height: 156 };

/** A scan of a paragraph. */
export const printedPicture = async (): Promise<PlacedPicture> => ({
  jpeg: await readFile(images.jpeg.path),
  ...MIDDLE,
});

/** Leaves, pebbles or fur: shapes as large as letters, anywhere. */
export async function texturedPicture(): Promise<PlacedPicture> {
  const [width, height] = [1100, 360];
  let state = 7;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const leaves = Array.from({ length: 2500 }, () => {
    const shade = Math.round(next() * 255);
    const [x, y, turn] = [next() * width, next() * height, next() * 180];
    return `<ellipse cx="${x}" cy="${y}" rx="${4 + next() * 9}" ry="${3 + next() * 5}" transform="rotate(${turn} ${x} ${y})" fill="rgb(${shade},${shade},${shade})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#777"/>${leaves.join('')}</svg>`;
  return { jpeg: await sharp(Buffer.from(svg)).toColourspace('b-w').jpeg().toBuffer(), ...MIDDLE };
}

/** Writes a PDF of one page: typed lines at its top, and pictures. */
export async function writePicturePage(
  lines: readonly string[],
  pictures: readonly PlacedPicture[],
  rotate = 0,
): Promise<Buffer> {
  const typed = lines.map((line, index) => `BT /F1 12 Tf 60 ${740 - index * 16} Td (${line}) Tj ET`);
  const drawn = pictures.map(
    ({ x, y, width, height }, index) => `q ${width} 0 0 ${height} ${x} ${y} cm /P${index} Do Q`,
  );
  const content = [...typed, ...drawn].join('\n');
  const names = pictures.map((_, index) => `/P${index} ${6 + index} 0 R`).join(' ');
  const streams = await Promise.all(
    pictures.map(async ({ jpeg }) => {
      const { width, height } = await sharp(jpeg).metadata();
      return `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n${jpeg.toString('latin1')}\nendstream`;
    }),
  );
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate ${rotate} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << ${names} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams,
  ]);
}
