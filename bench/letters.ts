import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { LETTERS } from '../src/engine/stages/recognise/machine-readable/classify-letter.js';
import {
  CELL_PX,
  copyWindow,
  measureInk,
  WINDOW_HEIGHT,
  WINDOW_PIXELS,
  WINDOW_WIDTH,
} from '../src/engine/stages/recognise/machine-readable/letter-strip.js';
import { createRandom } from '../test/fixtures/maker/scan.js';
import { trainNetwork } from './network.js';

/** The trained weights, which the engine has as a file of its source. */
const WEIGHTS = fileURLToPath(
  new URL('../src/engine/stages/recognise/machine-readable/letter-weights.ts', import.meta.url),
);
const LINES = 2_200;
const EPOCHS = 12;
const HIDDEN = 40;
/** Letters of a line, their distance in the drawing, and that distance by the size of the type in OCR-B. */
const COLUMNS = 30;
const PITCH_PX = 48;
const PITCH_EM = 0.723;
const CAPITAL_EM = 0.69;
const [MARGIN_PX, BASELINE_PX, HEIGHT_PX] = [60, 140, 280];
const WIDTH_PX = 2 * MARGIN_PX + COLUMNS * PITCH_PX;
/** Share of lines in other type of one width. */
const OTHER_TYPE_SHARE = 0.07;

const random = createRandom(7);
const between = (from: number, to: number): number => from + random() * (to - from);
const happens = (share: number): boolean => random() < share;
const pick = <T>(values: ArrayLike<T>): T => values[Math.floor(random() * values.length)] as T;
const noise = (): number => random() + random() + random() + random() - 2;

interface Sample {
  window: Float32Array;
  letter: number;
}

/**
 * Trains the letters of machine-readable zones anew and writes their weights: lines in OCR-B, drawn, made worse as poor
 * pictures are (blur, few pixels, pale ink, drawn grounds, JPEG), and windows between letters, which are none. The font must
 * be known to fontconfig as "OCR B" (Matthew Skala's is in the public domain).
 */
export async function trainLetters(): Promise<void> {
  const samples: Sample[] = [];
  for (let line = 0; line < LINES; line++) samples.push(...(await drawLine()));
  console.log(`${samples.length} windows`);
  const { hidden, output } = trainNetwork(
    samples,
    { inputs: WINDOW_PIXELS, hidden: HIDDEN, outputs: LETTERS.length + 1 },
    EPOCHS,
    random,
  );
  const layer = ({ scale, biases, weights }: typeof hidden) =>
    `{\n    scale: ${scale},\n    biases: [${biases.join(', ')}],\n    weights: '${weights}',\n  }`;
  writeFileSync(
    WEIGHTS,
    `/** Weights of the network that tells the letters of OCR-B apart, by \`npm run bench -- letters\`: whole numbers of one byte, in base64. */\nexport const WEIGHTS = {\n  hidden: ${layer(hidden)},\n  output: ${layer(output)},\n};\n`,
  );
}

async function drawLine(): Promise<Sample[]> {
  const isOther = happens(OTHER_TYPE_SHARE);
  const family = isOther ? pick(['DejaVu Sans Mono', 'Liberation Mono']) : 'OCR B';
  const size = isOther ? between(60, 66) : PITCH_PX / PITCH_EM;
  const text = Array.from({ length: COLUMNS }, () => (happens(0.12) ? '<' : pick(LETTERS)));
  const beside = Array.from({ length: COLUMNS }, () => (happens(0.3) ? '<' : pick(LETTERS)));
  const turn = between(-0.5, 0.5);
  const style = `font-family="${family}" font-size="${size}" ${isOther ? 'text-anchor="middle"' : ''}`;
  const set = (letters: readonly string[], y: number) =>
    letters
      .map((letter, index) => {
        const x = MARGIN_PX + (index + (isOther ? 0.5 : 0)) * PITCH_PX;
        return `<text x="${x}" y="${y}" ${style}>${letter.replace('<', '&lt;')}</text>`;
      })
      .join('');
  const stroke = Math.max(0, between(-2.5, 2.5));
  const other = BASELINE_PX + pick([-1, 1]) * between(1.55, 2.6) * PITCH_PX;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${HEIGHT_PX}">
    <rect width="${WIDTH_PX}" height="${HEIGHT_PX}" fill="#fff"/>${happens(0.4) ? drawGround() : ''}
    <g transform="rotate(${turn} ${WIDTH_PX / 2} ${BASELINE_PX})" stroke="#000" stroke-width="${stroke}">
    ${set(text, BASELINE_PX)}${happens(0.9) ? set(beside, other) : ''}</g></svg>`;
  const [stretch, tall] = [between(0.95, 1.05), between(0.93, 1.07)];
  const strip = sharp(await makePoor(svg))
    .greyscale()
    .resize(
      Math.round((WIDTH_PX * CELL_PX * stretch) / PITCH_PX),
      Math.round((HEIGHT_PX * CELL_PX * tall) / PITCH_PX),
      {
        fit: 'fill',
        kernel: 'cubic',
      },
    );
  const { data, info } = await strip.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const ink = measureInk({ data, width: info.width, height: info.height });
  const [perX, perY] = [info.width / WIDTH_PX, info.height / HEIGHT_PX];
  const radians = (turn * Math.PI) / 180;
  const take = (index: number, dx: number, dy: number, letter: number): Sample => {
    const [x, y] = [MARGIN_PX + (index + 0.5) * PITCH_PX - WIDTH_PX / 2, (-size * CAPITAL_EM) / 2];
    const left = (WIDTH_PX / 2 + x * Math.cos(radians) - y * Math.sin(radians)) * perX + dx - WINDOW_WIDTH / 2;
    const top = (BASELINE_PX + x * Math.sin(radians) + y * Math.cos(radians)) * perY + dy - WINDOW_HEIGHT / 2;
    const window = new Float32Array(WINDOW_PIXELS);
    copyWindow(ink, Math.round(left), Math.round(top), window);
    return { window, letter };
  };
  return text.flatMap((letter, index) => {
    const number = LETTERS.indexOf(letter);
    const whole = [1, 2].map(() => take(index, noise() * 0.9, noise() * 0.9, number));
    if (happens(0.1)) return whole;
    const none = happens(0.75)
      ? take(index, pick([-1, 1]) * between(3.6, 6.4), noise() * 2, LETTERS.length)
      : take(index, noise() * 3, pick([-1, 1]) * between(5, 12), LETTERS.length);
    return [...whole, none];
  });
}

function drawGround(): string {
  return Array.from({ length: 24 }, () => {
    const [y, shade] = [between(0, HEIGHT_PX), Math.round(between(170, 250))];
    const curve = `M0 ${y} Q ${WIDTH_PX / 4} ${y + between(-80, 80)} ${WIDTH_PX / 2} ${y} T ${WIDTH_PX} ${y + between(-60, 60)}`;
    return `<path d="${curve}" stroke="rgb(${shade},${shade},${shade})" stroke-width="${between(1, 7)}" fill="none"/>`;
  }).join('');
}

/** Makes a picture worse: few pixels, blur, pale ink on grey and uneven paper, grain and JPEG. */
async function makePoor(svg: string): Promise<Buffer> {
  const factor = (happens(0.3) ? between(5.5, 8) : between(8, 26)) / PITCH_PX;
  const small = sharp(Buffer.from(svg))
    .greyscale()
    .blur(between(0.3, 2.8))
    .resize(Math.round(WIDTH_PX * factor), Math.round(HEIGHT_PX * factor), { fit: 'fill', kernel: 'cubic' });
  const { data, info } = await small.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const [contrast, paper, grain] = [between(0.45, 1), between(160, 255), happens(0.5) ? between(0, 9) : between(0, 3)];
  const [wave, perX, perY] = [happens(0.4) ? between(0, 20) : 0, between(0.02, 1), between(0.02, 1)];
  const slope = between(-30, 30);
  const worse = data.map((shade, at) => {
    const [x, y] = [at % info.width, Math.floor(at / info.width)];
    const ground = wave * Math.sin(x * perX + y * perY) + slope * (x / info.width - 0.5);
    return Math.max(0, Math.min(255, paper - (255 - shade) * contrast * (paper / 255) + noise() * grain + ground));
  });
  const raw = sharp(worse, { raw: { width: info.width, height: info.height, channels: 1 } });
  return await (happens(0.7) ? raw.jpeg({ quality: Math.round(between(35, 92)) }) : raw.png()).toBuffer();
}
