import { expect, it } from 'vitest';
import type { Barcode, Point } from '../../../../../src/engine/products/barcodes/barcode.js';
import { gatherCodes } from '../../../../../src/engine/products/barcodes/gather-codes.js';

type Found = Omit<Barcode, 'page'>;

/** A code with these corners, clockwise from its top left. */
function code(value: string, corners: [Point, Point, Point, Point], format = 'EAN8'): Found {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
  const more = { contentType: 'text', symbologyIdentifier: '', rotation: 0 } as const;
  return { format, value, bytes: value, box, corners, ...more };
}

const upright = (x0: number, y0: number, x1: number, y1: number): [Point, Point, Point, Point] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

function gather(...looks: Found[][]): Found[] {
  const known: Found[] = [];
  for (const look of looks) gatherCodes(known, look);
  return known;
}

it('one code found by two scans → one code', () => {
  const [first, again] = [code('1', upright(0.1, 0.1, 0.4, 0.3)), code('1', upright(0.11, 0.15, 0.41, 0.2))];
  expect(gather([first], [again])).toEqual([first]);
});

it('pieces of a slanted code → one code from top to bottom', () => {
  const upper: [Point, Point, Point, Point] = [
    [0.2, 0.238],
    [0.427, 0.238],
    [0.423, 0.247],
    [0.198, 0.247],
  ];
  const lower: [Point, Point, Point, Point] = [
    [0.198, 0.2485],
    [0.423, 0.2485],
    [0.378, 0.352],
    [0.156, 0.352],
  ];
  const whole = code('1', [upper[0], upper[1], lower[2], lower[3]]);
  expect(gather([code('1', upper), code('1', lower)])).toEqual([whole]);
  expect(gather([code('1', lower), code('1', upper)])).toEqual([whole]);
});

it('codes of one value with space between them → several codes', () => {
  const labels = [code('1', upright(0.1, 0.1, 0.4, 0.2)), code('1', upright(0.1, 0.21, 0.4, 0.3))];
  expect(gather(labels)).toEqual(labels);
});

it('a code on top of a larger one → dropped as a misreading', () => {
  const real = code('4006381333931', upright(0.13, 0.18, 0.29, 0.26), 'EAN13');
  const misread = code(
    '11007115',
    [
      [0.28, 0.205],
      [0.205, 0.262],
      [0.205, 0.258],
      [0.28, 0.201],
    ],
    'UPCE',
  );
  expect(gather([real], [misread])).toEqual([real]);
  expect(gather([misread], [real])).toEqual([misread, real]);
});

it.each([
  ['level', (box: Parameters<typeof upright>) => upright(...box)],
  ['upright', ([x0, y0, x1, y1]: Parameters<typeof upright>) => upright(y0, x0, y1, x1)],
])(
  'a sliver at the edge of a code, %s → dropped as a misreading; another code at a distance, or as high → kept',
  (_, lie) => {
    const real = code('023942431015', lie([0.307, 0.631, 0.708, 0.695]), 'UPCA');
    const sliver = code('9074932437075', lie([0.306, 0.606, 0.706, 0.609]), 'EAN13');
    expect(gather([sliver], [real])).toEqual([real]);
    expect(gather([real], [sliver])).toEqual([real]);
    const away = code('1920081045006', lie([0.306, 0.906, 0.706, 0.909]), 'EAN13');
    const high = code('1920081045006', lie([0.306, 0.546, 0.706, 0.609]), 'EAN13');
    const batch = code('AB12', lie([0.306, 0.606, 0.706, 0.609]), 'Code128');
    for (const other of [away, high, batch]) expect(gather([real, other])).toEqual([real, other]);
  },
);

it('a code in the box corner of a code that stands on its corner → a code of its own', () => {
  const turned = code('1', [
    [0.5, 0.1],
    [0.9, 0.5],
    [0.5, 0.9],
    [0.1, 0.5],
  ]);
  const beside = code('2', upright(0.12, 0.12, 0.18, 0.18));
  expect(gather([turned], [beside])).toEqual([turned, beside]);
});
