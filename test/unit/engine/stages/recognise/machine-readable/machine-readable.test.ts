import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../../../dist/engine/model/words-of.js';
import { parseHocr } from '../../../../../../dist/engine/stages/recognise/hocr.js';
import { addZone, findZone } from '../../../../../../dist/engine/stages/recognise/machine-readable/add-zones.js';
import { drawZone } from '../../../../../support/draw-zone.js';

/** The specimens of ICAO 9303, one with another name. */
const PASSPORT = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
const CARD = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<LENA<<<<<<<<<<<'];
const SMALLER_CARD = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];

/** A mean confidence of pages on which OCR-B is read as noise, and of pages of text. */
const [NOISY, SURE] = [0.6, 0.95];

const reading = (...words: { text: string; y: number }[]) =>
  parseHocr(
    words
      .map(({ text, y }) => {
        const box = `bbox 100 ${y} 900 ${y + 36}`;
        return `<p class='ocr_par' title="${box}"><span class='ocr_line' title="${box}; baseline 0 0; x_size 40"><span class='ocrx_word' title='${box}; x_wconf 50'>${text}</span></span></p>`;
      })
      .join(''),
  ).blocks;

async function readLines(lines: readonly string[]) {
  const { raster } = await drawZone(lines);
  const zone = await findZone(raster, [], NOISY);
  return zone && { ...zone, words: wordsOf(addZone([], zone)) };
}

describe('machine-readable zones', () => {
  it.each([
    ['a passport', PASSPORT, 5],
    ['a card with three lines', CARD, 4],
    ['a card with two lines', SMALLER_CARD, 4],
  ])('%s on a drawn ground → its lines, with all check digits', async (_, lines, checks) => {
    const zone = await readLines(lines);
    expect(zone?.lines).toEqual(lines);
    expect(zone).toMatchObject({ agreeing: checks, failing: 0 });
    expect(zone?.words.map(({ text }) => text)).toEqual(lines);
    expect(zone?.words.every(({ confidence }) => (confidence ?? 0) > 0.8)).toBe(true);
  });

  it('a wrong check digit → stays as it is printed, with little confidence', async () => {
    const wrong = SMALLER_CARD.map((line) => line.replace('D231458907', 'D231458908'));
    const zone = await readLines(wrong);
    expect(zone?.lines).toEqual(wrong);
    expect(zone?.failing).toBe(2);
    expect(zone?.words[1]?.confidence).toBeLessThanOrEqual(0.6);
  });

  it('the reading of the same place → replaced; text elsewhere stays', async () => {
    const { raster, top } = await drawZone(PASSPORT);
    const blocks = reading(
      { text: 'UTOPIA', y: 200 },
      { text: 'PKUTOERIKSSON', y: top },
      { text: 'L89890', y: top + 100 },
    );
    const zone = await findZone(raster, blocks, NOISY);
    if (zone === undefined) throw new Error('no zone found');
    const found = wordsOf(addZone(blocks, zone));
    expect(found.map(({ text }) => text)).toEqual(['UTOPIA', ...PASSPORT]);
  });

  it('a page that was read surely, without fillers → not looked at', async () => {
    const { raster } = await drawZone(PASSPORT);
    expect(await findZone(raster, reading({ text: 'UTOPIA', y: 200 }), SURE)).toBeUndefined();
    expect(await findZone(raster, reading({ text: 'P&lt;UTOERIKSSON&lt;&lt;ANNA', y: 200 }), SURE)).toBeDefined();
  });

  it('lines of another length → no zone', async () => {
    expect(await readLines(PASSPORT.map((line) => line.slice(0, 40)))).toBeUndefined();
  });
});
