import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../../../../../dist/engine/read-document.js';
import { darkenFaded } from '../../../../../../dist/engine/stages/picture/correct/contrast.js';
import { isGrain } from '../../../../../../dist/engine/stages/picture/correct/skew.js';
import { outlineOf } from '../../../../../../dist/engine/stages/picture/find/outline.js';
import type { Raster } from '../../../../../../dist/engine/stages/picture/raster.js';
import { straighten } from '../../../../../../dist/engine/stages/recognise/straighten.js';
import { renderText } from '../../../../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../../../../dist/engine/workers/warm-workers.js';
import { makeTextPdf } from '../../../../../fixtures/maker/documents.js';
import { encodeJpeg, renderPages } from '../../../../../fixtures/maker/scan.js';

const LINE = 'Approved by the committee on the second Wednesday of March';

/** Draws grey paper whose grain is a third as strong as its pale print. */
async function grainy(paragraphs: number): Promise<Raster> {
  const pdf = await makeTextPdf('', [
    Array.from({ length: paragraphs }, () => ({ kind: 'paragraph' as const, text: LINE })),
  ]);
  const [page] = await renderPages(pdf, 150);
  if (page === undefined) throw new Error('nothing was rendered');
  let state = 7;
  const random = () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
  const data = page.data.map((shade) => {
    const grain = (random() + random() + random()) * 29;
    return Math.round(215 - (255 - shade) * 0.35 + grain);
  });
  return { ...page, data };
}

afterAll(closeIdleWorkers);

describe('paper with grain nearly as dark as its print', () => {
  it('without print → white, since darkened grain would be read', async () => {
    const seen: Raster[] = [];
    const found = { provider: 'none', blocks: [], width: 1, height: 1, rotation: 0 };
    const recogniser = straighten(
      {
        recognise: async (raster) => {
          seen.push(raster);
          return found;
        },
        prepare: () => undefined,
      },
      true,
    );
    await recogniser.recognise(await grainy(0), Number.POSITIVE_INFINITY, () => undefined);
    const [{ data } = { data: new Uint8Array() }] = seen;
    expect(data.filter((shade) => shade < 200).length).toBeLessThan(data.length / 10_000);
  });

  it('with a printed line → the line is read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'grain-'));
    try {
      const path = join(folder, 'page.jpg');
      await writeFile(path, await encodeJpeg(await grainy(1), 80));
      const { document } = await readDocument(path, 'image/jpeg', { ocr: 'auto', maxPixels: 100e6, parallelism: 1 });
      expect(renderText(document)).toBe(LINE);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('grain → is grain; print → is none, since it has lines', async () => {
    const darkened = (page: Raster) => outlineOf(darkenFaded(page) ?? page);
    expect(isGrain(darkened(await grainy(0)))).toBe(true);
    expect(isGrain(darkened(await grainy(20)))).toBe(false);
    const page = await grainy(0);
    expect(isGrain(darkened({ ...page, data: page.data.fill(215) }))).toBe(false);
  });
});
