import { expect, it } from 'vitest';
import { developNegative } from '../../../../../../src/engine/stages/picture/correct/negative.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import type { Recognition } from '../../../../../../src/engine/stages/recognise/recogniser.js';
import { straighten } from '../../../../../../src/engine/stages/recognise/straighten.js';
import { makeTextPdf } from '../../../../../fixtures/maker/documents.js';
import { renderPages } from '../../../../../fixtures/maker/scan.js';
import { composeHundred } from '../../../../../fixtures/texts.js';

const shade = (raster: Raster, to: (shade: number) => number): Raster => ({ ...raster, data: raster.data.map(to) });

async function renderPage(): Promise<Raster> {
  const [page] = await renderPages(await makeTextPdf('Harbour', [composeHundred(1)]), 100);
  if (page === undefined) throw new Error('no page');
  return page;
}

it('light text on a dark ground → dark text on a light one', async () => {
  const page = await renderPage();
  const seen: Raster[] = [];
  const recogniser = straighten(
    {
      async recognise(raster) {
        seen.push(raster);
        return { provider: 'none', blocks: [], width: raster.width, height: raster.height, rotation: 0 } as Recognition;
      },
      prepare: () => {},
    },
    true,
  );
  await recogniser.recognise(
    shade(page, (dark) => 215 - dark * 0.75),
    Infinity,
    () => {},
  );
  const [read] = seen;
  expect(read?.data[0]).toBeGreaterThan(200);
  expect(read?.data.reduce((a, b) => Math.min(a, b))).toBeLessThan(60);
});

it('a page in shadow, dark print on dark paper, a sheet on a dark desk → no negative', async () => {
  const page = await renderPage();
  expect(developNegative(shade(page, (light) => light * 0.5))).toBeUndefined();
  expect(developNegative(shade(page, (light) => 16 + light * 0.33))).toBeUndefined();
  const desk = { ...page, data: new Uint8Array(page.data.length).fill(30) };
  for (let y = 0; y < page.height * 0.6; y++)
    for (let x = 0; x < page.width * 0.5; x++) desk.data[y * page.width + x] = page.data[y * page.width + x] ?? 0;
  expect(developNegative(desk)).toBeUndefined();
});

it('a dark picture of many shades with few light pixels → no negative', async () => {
  const page = await renderPage();
  const night = { ...page, data: page.data.map((dark, at) => (dark < 100 ? 220 : (at % page.width) / 10)) };
  const even = { ...page, data: page.data.map((dark) => (dark < 100 ? 220 : 50)) };
  expect(developNegative(even)).toBeDefined();
  expect(developNegative(night)).toBeUndefined();
});
