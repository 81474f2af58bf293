import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { readDocument } from '../../../../dist/engine/read-document.js';
import { readPieces } from '../../../../dist/engine/reading/read-pieces.js';
import type { Recogniser, Recognition } from '../../../../dist/engine/stages/recognise/recogniser.js';
import { renderMarkdown } from '../../../../dist/engine/stages/render/markdown.js';
import { closeIdleWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { drawPaper, writeByPen } from '../../../fixtures/maker/handwriting.js';
import { withFile } from '../../../support/pdf-readers.js';

afterAll(closeIdleWorkers);

it('a page written by hand → no text, and a warning that says so', async () => {
  const page = drawPaper(1100, 1500);
  for (let row = 0; row < 17; row++)
    writeByPen(page, { x: 90, y: 150 + row * 75, size: 36, words: [6, 3, 8, 4, 6, 5] }, row + 1);
  const png = await sharp(page.data, { raw: { ...page, channels: 1 } })
    .png()
    .toBuffer();
  const { document } = await withFile(png, (path) =>
    readDocument(path, 'image/png', { ocr: 'force', maxPixels: 1e7, parallelism: 1, pageTimeoutMs: 120_000 }),
  );
  expect(renderMarkdown(document)).toBe('');
  expect(document.warnings).toEqual([
    {
      page: 1,
      message:
        'it looks handwritten, and handwriting is not read: only what looks printed is in the text; ' +
        'print in another language than eng is read if it is named (argument "languages", e.g. deu)',
    },
  ]);
});

it('pieces of a long picture with handwriting → their words together; not most, unless it is most of each', async () => {
  const join = async (...found: readonly Pick<Recognition, 'handwriting'>[]) => {
    let piece = 0;
    const recogniser: Recogniser = {
      recognise: async ({ width, height }) => ({
        ...{ provider: 'fake', blocks: [], width, height, rotation: 0 },
        ...found[piece++],
      }),
      prepare: () => undefined,
    };
    const long = { data: new Uint8Array(40 * 3600).fill(255), width: 40, height: 3600 };
    return (await readPieces(recogniser, long, Infinity, () => undefined)).handwriting;
  };
  const [some, most] = [
    { words: 3, isMost: false },
    { words: 4, isMost: true },
  ];
  expect(await join({ handwriting: some }, { handwriting: most })).toEqual({ words: 7, isMost: false });
  expect(await join({ handwriting: most }, {})).toEqual({ words: 4, isMost: false });
  expect(await join({ handwriting: most }, { handwriting: most })).toEqual({ words: 8, isMost: true });
  expect(await join({}, {})).toBeUndefined();
});
