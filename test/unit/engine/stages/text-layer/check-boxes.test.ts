import { expect, it } from 'vitest';
import { readDocument } from '../../../../../src/engine/read-document.js';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import { withFile } from '../../../../support/pdf-readers.js';
import { writePdf } from '../../../../support/write-pdf.js';

const text = (words: string, x: number, y: number, size = 11) => `BT /F ${size} Tf ${x} ${y} Td (${words}) Tj ET`;

/** Markdown of a page of 595 x 842 points. */
async function read(...content: string[]): Promise<string> {
  const drawing = content.join('\n');
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
  return await withFile(pdf, async (path) => {
    const { document } = await readDocument(path, 'application/pdf', { ocr: 'never', parallelism: 1, maxPixels: 1e8 });
    return renderMarkdown(document);
  });
}

type Draw = (x: number, y: number) => string;

const square: Draw = (x, y) => `${x} ${y} 9 9 re S`;
const tick: Draw = (x, y) => `${x + 2} ${y + 4} m ${x + 4} ${y + 2} l ${x + 7} ${y + 7} l S`;
const cross: Draw = (x, y) => `${x + 1} ${y + 1} m ${x + 8} ${y + 8} l S ${x + 1} ${y + 8} m ${x + 8} ${y + 1} l S`;
const ring: Draw = (x, y) => `${disc(x + 4.5, y + 4.5, 4.5)} S`;

function disc(x: number, y: number, radius: number): string {
  const at = (angle: number) => `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
  const sides = Array.from({ length: 32 }, (_, side) => at((side * Math.PI) / 16));
  return `${sides.map((point, side) => `${point} ${side === 0 ? 'm' : 'l'}`).join(' ')} h`;
}

/** Edges in the light and in the shade, as viewers draw the boxes of forms. */
const corner = (x: number, y: number, turn: 1 | -1) => {
  const [from, to] = turn === 1 ? [1, 8] : [8, 1];
  const points = [
    [from, from],
    [from, to],
    [to, to],
    [to - turn, to - turn],
    [from + turn, to - turn],
    [from + turn, from + turn],
  ];
  return `${points.map(([a = 0, b = 0], index) => `${x + a} ${y + b} ${index === 0 ? 'm' : 'l'}`).join(' ')} h f`;
};
const sunk: Draw = (x, y) =>
  `1 g ${x} ${y} 9 9 re f .3 g ${corner(x, y, 1)} .2 g ${corner(x, y, -1)} 0 g ${square(x, y)}`;
const arc = (x: number, y: number) =>
  `${x - 2} ${y + 2} m ${x - 2.4} ${y - 2.4} ${x + 2.4} ${y - 2.4} ${x + 2} ${y + 2} c S`;
const sunkRing: Draw = (x, y) => `${square(x, y)} ${ring(x, y)} ${arc(x + 3.8, y + 5.2)} ${arc(x + 5.2, y + 3.8)}`;

/** "Do you agree?" with two answers, each behind a box. */
const question = (first: Draw, second: Draw) =>
  read(
    text('Do you agree with the terms?', 72, 700),
    first(224, 699),
    text('Yes', 236, 700),
    second(266, 699),
    text('No', 278, 700),
  );

const both =
  (...drawn: Draw[]): Draw =>
  (x, y) =>
    drawn.map((draw) => draw(x, y)).join(' ');

it.each<[string, Draw, Draw, string]>([
  ['squares with a tick and without', both(square, tick), square, '☑ Yes ☐ No'],
  ['squares with a cross and without', square, both(square, cross), '☐ Yes ☒ No'],
  ['a square in another', both(square, (x, y) => `${x + 2} ${y + 2} 5 5 re f`), square, '☑ Yes ☐ No'],
  ['a square with a tick and one that seems sunk', both(square, tick), sunk, '☑ Yes ☐ No'],
  ['squares with rings that seem sunk', sunkRing, sunkRing, '☐ Yes ☐ No'],
  ['an x that is set in a square', both(square, (x, y) => text('x', x + 2, y + 2, 9)), square, '☒ Yes ☐ No'],
  [
    'a blue ground with a white tick, as browsers print it',
    both(
      (x, y) => `0 .5 1 rg ${x} ${y} 9 9 re f 1 G`,
      tick,
      () => '0 G 0 g',
    ),
    square,
    '☑ Yes ☐ No',
  ],
  [
    'a ring between two squares, and lines one by one',
    (x, y) => `${x} ${y} 9 9 re ${x + 1} ${y + 1} 7 7 re f*`,
    (x, y) =>
      `${x} ${y} m ${x + 9} ${y} l S ${x} ${y + 9} m ${x + 9} ${y + 9} l S ${x} ${y} m ${x} ${y + 9} l S ${x + 9} ${y} m ${x + 9} ${y + 9} l S`,
    '☐ Yes ☐ No',
  ],
  ['radio buttons', both(ring, (x, y) => `${disc(x + 4.5, y + 4.5, 2)} f`), ring, '☑ Yes ☐ No'],
])('%s beside answers → check boxes', async (_, first, second, answers) => {
  expect(await question(first, second)).toBe(`Do you agree with the terms? ${answers}`);
});

it.each<[string, Draw, Draw]>([
  ['the full squares of a legend', (x, y) => `.8 g ${x} ${y} 9 9 re f 0 g`, (x, y) => `${x} ${y} 9 9 re f`],
  [
    'an icon in a single square',
    both(square, (x, y) => `${x + 2} ${y + 2} m ${x + 7} ${y + 2} l ${x + 4} ${y + 7} l f`),
    () => '',
  ],
  ['a plus that opens a branch', both(square, (x, y) => `${x + 4.5} ${y + 2} m ${x + 4.5} ${y + 7} l S`), () => ''],
  ['a line through markers of a chart', both(square, (x, y) => `${x - 9} ${y + 4} m ${x + 18} ${y + 4} l S`), square],
  [
    'letters in squares',
    both(square, (x, y) => text('A', x + 1, y + 1, 9)),
    both(square, (x, y) => text('B', x + 1, y + 1, 9)),
  ],
  ['empty rings', ring, ring],
  ['cells for letters', both(square, (x, y) => square(x - 9, y)), both(square, (x, y) => square(x - 9, y))],
])('%s → no check boxes', async (_, first, second) => {
  expect(await question(first, second)).not.toMatch(/[☐☑☒]/);
});

it('boxes before items → tasks', async () => {
  const items = ['Pack the tent', 'Fill the bottles', 'Lock the door'];
  const lines = items.map((item, index) => {
    const y = 700 - index * 16;
    return `${index === 1 ? both(square, tick)(72, y - 1) : square(72, y - 1)} ${text(item, 86, y)}`;
  });
  expect(await read(...lines)).toBe('- [ ] Pack the tent\n- [x] Fill the bottles\n- [ ] Lock the door');
});

it('squares at the ends of proofs → no check boxes', async () => {
  const proof = (y: number) => [
    text('which was to be shown for all of them', 72, y + 14),
    text('And so it is.', 72, y),
    square(240, y),
  ];
  expect(await read(...proof(700), ...proof(500))).not.toContain('☐');
});

it('boxes in cells of a ruled table → boxes in its cells', async () => {
  const rows = ['Brakes', 'Lights'].map((name, index) => {
    const y = 700 - index * 20;
    const boxes =
      index === 0
        ? `${both(square, cross)(200, y - 1)} ${square(260, y - 1)}`
        : `${square(200, y - 1)} ${square(260, y - 1)}`;
    return `${text(name, 76, y)} ${boxes} 72 ${y - 6} 110 20 re S 182 ${y - 6} 60 20 re S 242 ${y - 6} 60 20 re S`;
  });
  const head = `${text('Part', 76, 720)} ${text('Good', 195, 720)} ${text('Bad', 255, 720)} 72 714 110 20 re S 182 714 60 20 re S 242 714 60 20 re S`;
  expect(await read(head, ...rows)).toBe(
    '| Part | Good | Bad |\n| --- | --- | --- |\n| Brakes | ☒ | ☐ |\n| Lights | ☐ | ☐ |',
  );
});
