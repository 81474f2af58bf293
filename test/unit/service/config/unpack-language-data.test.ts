import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { LANGUAGE_FOLDERS_VARIABLE, planRecognition } from '../../../../src/engine/stages/recognise/languages.js';
import { unpackLanguageData } from '../../../../src/service/config/unpack-language-data.js';

const native = { program: '/usr/bin/tesseract', version: '5.0.0', languages: ['eng'] };

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-unpack-test-'));
  const { [LANGUAGE_FOLDERS_VARIABLE]: before } = process.env;
  process.env[LANGUAGE_FOLDERS_VARIABLE] = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env[LANGUAGE_FOLDERS_VARIABLE];
    else process.env[LANGUAGE_FOLDERS_VARIABLE] = before;
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

it('the data of the package → unpacked once, for further readings by native Tesseract', async () => {
  const folder = useFolder();
  expect(planRecognition(['eng'], native).native).not.toHaveProperty('otherFolder');
  await unpackLanguageData();
  const { native: planned, models } = planRecognition(['eng'], native);
  const data = join(planned?.otherFolder ?? '', 'eng.traineddata');
  expect(dirname(dirname(dirname(data)))).toBe(folder);
  const { mtimeMs } = statSync(data);
  const packed = readFileSync(models[0]?.path ?? '');
  expect(readFileSync(data).equals(gunzipSync(packed))).toBe(true);
  await unpackLanguageData();
  expect(statSync(data).mtimeMs).toBe(mtimeMs);
});

it('the data of another version → not used, and removed', async () => {
  const folder = useFolder();
  const old = join(folder, '.unpacked', '0123456789abcdef');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'eng.traineddata'), 'old');
  expect(planRecognition(['eng'], native).native).not.toHaveProperty('otherFolder');
  await unpackLanguageData();
  expect(readdirSync(join(folder, '.unpacked'))).not.toContain('0123456789abcdef');
});

it('installed data of a language that the system has too → for further readings', () => {
  const folder = useFolder();
  const both = { ...native, languages: ['deu', 'eng'] };
  writeFileSync(join(folder, 'deu.traineddata'), '');
  expect(planRecognition(['deu'], both).native).toMatchObject({ otherFolder: folder });
  // One folder has to have all languages of a document.
  expect(planRecognition(['deu', 'eng'], both).native).not.toHaveProperty('otherFolder');
});

it('a folder that cannot be written → nothing happens', async () => {
  const folder = useFolder();
  writeFileSync(join(folder, '.unpacked'), 'a file');
  await unpackLanguageData();
  expect(planRecognition(['eng'], native).native).not.toHaveProperty('otherFolder');
});
