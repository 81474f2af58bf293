import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../../../../dist/engine/read-document.js';
import type { ReadOptions } from '../../../../../dist/engine/reading/reading.js';
import {
  findNativeTesseract,
  type NativeTesseract,
} from '../../../../../dist/engine/stages/recognise/find-native-tesseract.js';
import { planRecognition } from '../../../../../dist/engine/stages/recognise/languages.js';
import { createNativeEngine } from '../../../../../dist/engine/stages/recognise/native-engine.js';
import { renderText } from '../../../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../../../dist/engine/workers/warm-workers.js';
import { examples, images } from '../../../../fixtures/manifest.js';
import { until } from '../../../../support/until.js';
import { wordF1 } from '../../../../support/word-f1.js';

const native = await findNativeTesseract(process.env);
const directory = mkdtempSync(join(tmpdir(), 'ocr-native-test-'));
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await closeIdleWorkers();
});

const read = (file: { path: string; mimeType: string }, options: Partial<ReadOptions>) =>
  readDocument(file.path, file.mimeType, { ocr: 'auto', maxPixels: 100e6, parallelism: 2, ...options });

/** Writes a program that stands in for tesseract. */
/** Shell: a process that is started ahead has no page (SPIX, the format of the pictures) until one is read. */
const UNLESS_A_PAGE_COMES = '[ "$(head -c 4)" = spix ] ||';

function writeProgram(name: string, script: string): NativeTesseract {
  const program = join(directory, name);
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { program, version: '5.0.0', languages: ['eng'] };
}

describe.runIf(native !== undefined)(
  'native Tesseract (skipped if it is not installed: apt install tesseract-ocr)',
  () => {
    it.each([examples.pagesTiff, examples.photo].map((f) => [f.file, f] as const))(
      '%s → its text',
      async (_, fixture) => {
        const { document, provider } = await read(fixture, { native: native as NativeTesseract });
        expect(provider).toBe('tesseract');
        expect(document.warnings).toEqual([]);
        expect(wordF1(fixture.text.join('\n'), renderText(document, { headersFooters: true }))).toBeGreaterThan(0.95);
      },
    );

    it('a page of a scanned PDF → its text', async () => {
      const { document, provider } = await read(examples.scanned, { native: native as NativeTesseract, pages: '1' });
      expect(provider).toBe('tesseract');
      expect(document.warnings).toEqual([]);
      const expected = examples.scanned.text[0] ?? '';
      expect(wordF1(expected, renderText(document, { headersFooters: true }))).toBeGreaterThan(0.95);
    });

    // The other turns: read-document.test.ts, since an engine is given an upright page.
    it('a page on its left side → turned upright, with its rotation', async () => {
      const { document } = await read(images.rotated270, { native: native as NativeTesseract });
      expect(document.pages.map(({ rotation }) => rotation)).toEqual([90]);
      expect(wordF1(images.rotated270.text.join('\n'), renderText(document, { headersFooters: true }))).toBeGreaterThan(
        0.95,
      );
    });

    it('no document → a process waits for the next one; after its death, another one reads', async () => {
      const log = join(directory, 'started');
      const logged = writeProgram('logged', `echo $$ >> ${log}; exec ${native?.program} "$@"`);
      const started = () => readFileSync(log, 'utf8').trim().split('\n').map(Number);
      const readOnce = async () => {
        const { document, provider } = await read(images.png, { native: logged, parallelism: 1 });
        expect(provider).toBe('tesseract');
        expect(wordF1(images.png.text.join('\n'), renderText(document))).toBeGreaterThan(0.95);
      };
      await readOnce();
      await until(() => started().length === 2);
      await readOnce();
      await until(() => started().length === 3);
      const waiting = started()[2] as number;
      process.kill(waiting, 'SIGKILL');
      await until(() => !isAlive(waiting));
      await readOnce();
      await until(() => started().length === 5);
      process.kill(started()[4] as number, 'SIGKILL');
    });
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.skipIf(process.platform === 'win32')(
  'a reading has begun → the program has its picture, and the thread is free',
  async () => {
    const [picture, gate] = [join(directory, 'picture'), join(directory, 'gate')];
    const script = `cat > ${picture}; until [ -e ${gate} ]; do sleep 0.05; done`;
    const engine = createNativeEngine({ program: writeProgram('gated', script).program, languages: ['eng'] });
    const raster = { data: new Uint8Array(1000 * 1000), width: 1000, height: 1000 };
    const { page } = (await engine.begin?.(raster, 6, performance.now() + 30_000)) ?? {};
    // The loop blocks the thread, like a reading of the built-in engine.
    const patience = performance.now() + 10_000;
    while (statSync(picture).size < raster.data.length) expect(performance.now()).toBeLessThan(patience);
    writeFileSync(gate, '');
    expect(await page).toEqual({ blocks: [], textAngle: 0 });
  },
);

describe.skipIf(process.platform === 'win32')('a native Tesseract that fails', () => {
  it('exit code 1 → the built-in engine reads', async () => {
    const broken = writeProgram('broken', 'echo "no such model" >&2; exit 1');
    const { document, provider } = await read(images.png, { native: broken });
    expect(provider).toBe('tesseract-wasm');
    expect(wordF1(images.png.text.join('\n'), renderText(document))).toBeGreaterThan(0.95);
  });

  it('removed after the start → the built-in engine reads', async () => {
    const gone = { program: join(directory, 'gone'), version: '5.0.0', languages: ['eng'] };
    expect((await read(images.png, { native: gone })).provider).toBe('tesseract-wasm');
  });

  it('never ends → its page fails, and the process is ended', async () => {
    const log = join(directory, 'slow-started');
    const slow = writeProgram('slow', `${UNLESS_A_PAGE_COMES} exit 1; echo $$ >> ${log}; exec sleep 60`);
    // On a busy machine the time may pass before the program gets its page.
    for (let pageTimeoutMs = 1000; !existsSync(log); pageTimeoutMs *= 2)
      await expect(read(images.png, { native: slow, pageTimeoutMs })).rejects.toThrow(/recognition took/);
    for (const pid of readFileSync(log, 'utf8').trim().split('\n'))
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });

  it('never ends at the second reading of a poor page → the first reading, with a warning', async () => {
    const word = `<span class='ocrx_word' title='bbox 100 100 400 140; x_wconf 50'>faint</span>`;
    const line = `<p class='ocr_par' title='bbox 100 100 400 140'><span class='ocr_line' title='bbox 100 100 400 140; x_size 40'>`;
    const mark = join(directory, 'was-read');
    const answer = `cat > /dev/null; printf "%s\\n" "${line}" "${word}" "</span></p>"`;
    const slow = writeProgram(
      'slow-twice',
      `${UNLESS_A_PAGE_COMES} exit 1; [ -e ${mark} ] && exec sleep 60; touch ${mark}; ${answer}`,
    );
    // On a busy machine the time may pass before the first reading is there.
    const readWithin = async (pageTimeoutMs: number): ReturnType<typeof read> => {
      rmSync(mark, { force: true });
      try {
        return await read(images.png, { native: slow, pageTimeoutMs });
      } catch (error) {
        expect(String(error)).toMatch(/recognition took/);
        return await readWithin(2 * pageTimeoutMs);
      }
    };
    const { document } = await readWithin(2000);
    expect(renderText(document, { headersFooters: true })).toBe('faint');
    expect(document.warnings).toEqual([
      { page: 1, message: expect.stringMatching(/^recognition took .* it may be read less well/) },
    ]);
  });

  it('too old, or no answer → as absent', async () => {
    for (const [name, answer] of [
      ['old', 'tesseract 3.05.02'],
      ['mute', ''],
    ] as const) {
      const folder = mkdtempSync(join(directory, `${name}-`));
      writeProgram(join(folder.slice(directory.length + 1), 'tesseract'), `echo "${answer}"`);
      expect(await findNativeTesseract({ PATH: folder })).toBeUndefined();
    }
  });

  it('on PATH → its version and languages', async () => {
    const folder = mkdtempSync(join(directory, 'found-'));
    const script =
      'case $1 in --version) echo "tesseract v5.4.0.20240606";; *) printf "List of available languages (3):\\ndeu\\neng\\nosd\\n";; esac';
    const { program } = writeProgram(join(folder.slice(directory.length + 1), 'tesseract'), script);
    expect(await findNativeTesseract({ PATH: `relative:${folder}` })).toEqual({
      program,
      version: '5.4.0.20240606',
      languages: ['deu', 'eng'],
    });
  });

  it('lacks a language → the built-in engine reads, if it has the language', () => {
    const other = { program: '/usr/bin/tesseract', version: '5.0.0', languages: ['deu'] };
    expect(planRecognition(['eng'], other).native).toBeUndefined();
    const both = { ...other, languages: ['deu', 'eng'] };
    expect(planRecognition(['eng'], both)).toMatchObject({
      native: { languages: ['eng'] },
      models: [{ language: 'eng' }],
    });
    expect(() => planRecognition(['xyz'], both)).toThrow(/is not installed: ocr languages install xyz/);
    // The system has data of that name, which is no language.
    expect(() => planRecognition(['eng', 'osd'], both)).toThrow(/"osd" is a model of Tesseract, but no language/);
  });
});
