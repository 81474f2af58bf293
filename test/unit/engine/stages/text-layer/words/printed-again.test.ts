import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

const SIGNS = { A: 'r', B: 'e', C: 'd', D: ' ', E: 'd ', F: 'fi' };
/** Each glyph is 10 points wide, in type of 20 points. */
const read = (content: string) => readGlyphs(content, SIGNS, Array(6).fill(500));

it('words printed again after others → read once', async () => {
  const rows = '(ABC) Tj 0 -14 Td (BAC) Tj 0 -14 Td (CAB) Tj 0 -14 Td (CBA) Tj 0 -14 Td (ACB) Tj 0 -14 Td (BCA) Tj';
  expect(await read(`${rows} 1 70 Td ${rows}`)).toEqual(['red', 'erd', 'dre', 'der', 'rde', 'edr']);
});

it('the same word or letter beside itself → kept twice', async () => {
  expect(await read('(ABBC) Tj 0 -30 Td (ABBC) Tj 60 0 Td (ABBC) Tj')).toEqual(['reed', 'reed', 'reed']);
});

it('a space with letters drawn over it → no word end', async () => {
  expect(await read('[(ABD) 500 (C)] TJ')).toEqual(['red']);
  expect(await read('[(ABD) 350 (C)] TJ')).toEqual(['re', 'd']);
});

it("a space added by a font's map or set back over a ligature → no word end", async () => {
  expect(await read('(EB) Tj')).toEqual(['de']);
  expect(await read('[(BF) 300 (D) 200 (C)] TJ')).toEqual(['efid']);
});

it.each([2.4, 4])('each letter printed again %d points beside itself → read once', async (shift) => {
  const twice = [...'ABBC'].map(
    (code, at) => `1 0 0 1 ${20 + at * 10} 100 Tm (${code}) Tj 1 0 0 1 ${20 + at * 10 + shift} 100 Tm (${code}) Tj`,
  );
  expect(await read(twice.join(' '))).toEqual(['reed']);
});

it('a line printed again 3 points beside itself → read once', async () => {
  const line = '(ABC) Tj 0 -30 Td (BAC) Tj';
  expect(await read(`${line} 3 30 Td ${line}`)).toEqual(['red', 'erd']);
});

it('a ligature after the letter that it begins with → both kept', async () => {
  expect(await readGlyphs('(A) Tj 6 0 Td (F) Tj', { A: 'f', F: 'fi' }, [300, 0, 0, 0, 0, 600])).toEqual(['ffi']);
});

it('equal letters set as close as those beside them, over each other → all kept', async () => {
  const set = [...'ABBCCBA'].map((code, at) => `1 0 0 1 ${20 + at * 5.4} 100 Tm (${code}) Tj`);
  expect(await read(set.join(' '))).toEqual(['reedder']);
});

it('equal letters that lean over each other, each an object of its own → both kept', async () => {
  const set = [...'ABBCDE'].map((code, at) => `1 0 0.33 1 ${20 + at * 4} 100 Tm (${code}) Tj`);
  const letters = { A: 'o', B: 'f', C: 'i', D: 'c', E: 'e' };
  expect(await readGlyphs(set.join(' '), letters, [200, 200, 200, 200, 200])).toEqual(['office']);
});
