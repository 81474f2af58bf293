import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocumentPool } from '../../../../dist/service/documents/pool.js';
import { type PageToRender, renderPage } from '../../../../dist/service/documents/render-page.js';
import type { PageLayout } from '../../../../src/engine/stages/render/layout.js';
import { bad, documents, examples, images, PASSWORD, poorScans } from '../../../fixtures/manifest.js';
import { DOCUMENT_LIMITS, startDocumentPool } from '../../../support/document-pool.js';
import { runFunction } from '../../functions/run-function.js';

let started: Awaited<ReturnType<typeof startDocumentPool>>;
let pool: DocumentPool;
beforeAll(async () => {
  started = await startDocumentPool('draw-pages');
  ({ pool } = started);
});
afterAll(() => started.close());

interface File {
  path: string;
  mimeType: string;
}

async function render(
  { path, mimeType }: File,
  more: Partial<PageToRender> = {},
  signal?: AbortSignal,
  by: Pick<DocumentPool, 'perform'> = pool,
) {
  const handOver = async (room: string) => {
    const copy = join(room, 'document');
    copyFileSync(path, copy);
    return copy;
  };
  const organisationId = 'org_1';
  const task = { organisationId, mimeType, page: 1, rotation: 0, format: 'png', handOver, ...more } as const;
  return await renderPage(by, DOCUMENT_LIMITS, task, signal);
}

/** The grey pixels of a picture. */
async function readGreys(bytes: Buffer) {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, at: (x: number, y: number) => data[y * info.width + x] ?? 255 };
}

const [askew = examples.scanned] = poorScans.filter(({ file }) => file.includes('skewed-minus-7'));

test.each([
  ['a page with /Rotate', documents.landscapeRotated],
  ['a scan that was turned by 90°', images.rotated90],
  ['a scan that was turned by 180°', images.rotated180],
  ['a photograph with an Exif turn', images.exif6],
  ['a page that lies askew', askew],
  ['a report', examples.report],
])('%s → the ink of each line is in its box, and little is outside of all', async (_, file) => {
  const { result } = await runFunction<{ pages: PageLayout[] }>('LAYOUT_ANALYSIS', file);
  const [page] = result.pages;
  const drawn = await render(file, { rotation: page?.rotation ?? 0 });
  if ('reason' in drawn) throw new Error(drawn.reason);
  const { width, height, at } = await readGreys(drawn.bytes);
  expect({ width, height }).toEqual({ width: drawn.width, height: drawn.height });
  expect(Math.max(width, height)).toBeLessThanOrEqual(1_600);
  const isInk = (x: number, y: number) => at(x, y) < 110;
  const boxes = (page?.blocks ?? []).flatMap(({ lines, box }) =>
    lines.length === 0 ? [box] : lines.map((line) => line.box),
  );
  const lines = (page?.blocks ?? []).flatMap((block) => block.lines);
  expect(lines.length).toBeGreaterThan(2);
  const places = boxes.map(([left, top, right, bottom]) => ({
    left: Math.floor(left * width) - 3,
    top: Math.floor(top * height) - 3,
    right: Math.ceil(right * width) + 3,
    bottom: Math.ceil(bottom * height) + 3,
    ink: 0,
  }));
  let [ink, outside] = [0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!isInk(x, y)) continue;
      ink++;
      const within = places.filter((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
      if (within.length === 0) outside++;
      for (const box of within) box.ink++;
    }
  expect(ink).toBeGreaterThan(500);
  expect(outside / ink).toBeLessThan(0.15);
  expect(places.filter((box) => box.ink === 0)).toEqual([]);
});

test('a picture → of the format that was asked for, also of a page with a password', async () => {
  const jpeg = await render(examples.report, { format: 'jpeg', page: 2 });
  expect(await sharp('bytes' in jpeg ? jpeg.bytes : undefined).metadata()).toMatchObject({
    format: 'jpeg',
    height: 1_600,
  });
  const opened = await render(documents.encrypted, { password: PASSWORD });
  expect(await sharp('bytes' in opened ? opened.bytes : undefined).metadata()).toMatchObject({ format: 'png' });
  expect(await render(documents.encrypted)).toEqual({ reason: expect.stringMatching(/password/) });
});

test('a page that cannot be drawn → the reason; the next document is drawn', async () => {
  expect(await render(examples.report, { page: 11 })).toEqual({ reason: 'only the first 10 pages have pictures' });
  expect(await render(examples.report, { page: 9 })).toHaveProperty('reason');
  expect(await render({ path: bad.bomb.path, mimeType: 'image/png' })).toHaveProperty('reason');
  expect(await render({ path: bad.damaged.path, mimeType: 'application/pdf' })).toHaveProperty('reason');
  expect(await render(examples.report, {}, AbortSignal.abort())).toEqual({ reason: 'cancelled' });
  expect(await render(examples.report)).toHaveProperty('bytes');
});

test.each([
  [1, true],
  [2, false],
])('the process gives way %i times → drawn: %s', async (times, isDrawn) => {
  let left = times;
  const busy: Pick<DocumentPool, 'perform'> = {
    perform: async (...task) =>
      left-- > 0 ? { type: 'unavailable', message: 'memory was needed' } : await pool.perform(...task),
  };
  const drawn = await render(examples.report, {}, undefined, busy);
  expect('bytes' in drawn).toBe(isDrawn);
  if (!isDrawn) expect(drawn).toEqual({ reason: 'memory was needed' });
});
