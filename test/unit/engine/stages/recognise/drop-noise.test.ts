import { describe, expect, it } from 'vitest';
import type { PageBlock, PageWord } from '../../../../../src/engine/model/page.js';
import { dropNoise } from '../../../../../src/engine/stages/recognise/drop-noise.js';

/** Makes one line for each word, like those of specks all over a page. */
function setPage(words: readonly (readonly [text: string, confidence: number])[]): PageBlock[] {
  const lines = words.map(([text, confidence], index) => {
    const box = { x0: 10, y0: index * 20, x1: 40, y1: index * 20 + 10 };
    const set = { fontSize: 10, baseline: box.y1 };
    const word: PageWord = { ...box, ...set, text, confidence, bold: false, italic: false };
    return { ...box, ...set, words: [word] };
  });
  return [{ lines } as PageBlock];
}

const repeat = (count: number, ...words: [string, number][]) => Array.from({ length: count }, () => words).flat();
const textsOf = (blocks: readonly PageBlock[]) =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text)));
const left = (...words: [string, number][]) => textsOf(dropNoise(setPage(words), false));

describe('an empty page', () => {
  it('grain with low confidence → dropped, except sure words', () => {
    expect(left(...repeat(5, ['Sab', 0.44], ['oe', 0.4], ['4', 0.95]))).toEqual([]);
    expect(left(...repeat(5, ['Sab', 0.44], ['oe', 0.4]), ['FOREWORD', 0.96])).toEqual(['FOREWORD']);
  });

  it('specks that were read as marks, even with high confidence → dropped', () => {
    expect(left(...repeat(8, ['-', 0.98], ['•', 0.95], ['i', 0.95]), ['Pas', 0.79])).toEqual([]);
    expect(left(...repeat(8, ['-', 0.98], ['•', 0.95], ['i', 0.95]), ['PREFACE', 0.93])).toEqual(['PREFACE']);
  });
});

describe('a word of low confidence', () => {
  type BadWord = readonly [text: string, confidence: number, gap?: number];
  const keptOf = (words: readonly BadWord[], wasConfirmed: boolean) => {
    let x = 10;
    const line = words.map(([text, confidence, gap = 3]) => {
      const box = { x0: x + gap, y0: 0, x1: x + gap + text.length * 5, y1: 10 };
      x = box.x1;
      return { ...box, text, confidence, fontSize: 10, baseline: 10, bold: false, italic: false };
    });
    return textsOf(dropNoise([{ lines: [{ words: line }] } as unknown as PageBlock], wasConfirmed)).join(' ');
  };
  const kept = (...words: BadWord[]) => keptOf(words, false);

  it('between sure words, or at an end of their line with consecutive letters → kept', () => {
    expect(kept(['keep', 0.9], ['2!', 0.2], ['lamps', 0.9])).toBe('keep 2! lamps');
    expect(kept(['inputs.[2!', 0.2], ['Some', 0.9], ['lamps', 0.9])).toBe('inputs.[2! Some lamps');
    expect(kept(['Some', 0.9], ['lamps', 0.9], ['bum', 0.2])).toBe('Some lamps bum');
    expect(kept(['Some', 0.9], ['bum', 0.2], ['lamps', 0.9, 20])).toBe('Some bum lamps');
    expect(kept(['Some', 0.9], ['bum', 0.2, 20], ['lamps', 0.9, 20])).toBe('Some lamps');
    expect(kept(['to', 0.9], ['/etc/agent.', 0.2], ['conf', 0.2], ['and', 0.9])).toBe('to /etc/agent. conf and');
    expect(kept(['to', 0.9], ['a1', 0.2], ['b2', 0.2], ['c3', 0.2], ['and', 0.9])).toBe('to and');
  });

  it('a dash between two sure figures → kept, whatever its confidence; beside a word, an unsure figure or apart → dropped', () => {
    for (const wasConfirmed of [false, true]) {
      const range = (...words: BadWord[]) => keptOf(words, wasConfirmed);
      expect(range(['6.6', 0.9], ['–', 0.1], ['41.9', 0.9])).toBe('6.6 – 41.9');
      expect(range(['Flour', 0.9], ['-', 0.1], ['41.9', 0.9])).toBe('Flour 41.9');
      expect(range(['6.6', 0.9], ['–', 0.1], ['41.9', 0.75])).toBe('6.6 41.9');
      expect(range(['6.6', 0.9], ['–', 0.1], ['41.9', 0.9, 20])).toBe('6.6 41.9');
    }
  });

  it('as long as a hash → kept, since its worst letter alone has that confidence; a page of them is no noise', () => {
    const hash = '8761af4a44cf96613b1df5bf1c7b3fb8b7b70a984ccb919b0218262bb168275f';
    expect(kept(['Milk', 0.9], [hash, 0.2, 40])).toBe(`Milk ${hash}`);
    expect(
      keptOf(
        [
          ['Milk', 0.9],
          [hash, 0.2, 40],
        ],
        true,
      ),
    ).toBe(`Milk ${hash}`);
    expect(kept(['Milk', 0.9], ['8761af4a', 0.2, 40])).toBe('Milk');
    expect(left(...repeat(12, [hash, 0.25]))).toHaveLength(12);
  });

  it('not confirmed by another reading → dropped, except amounts, long words and words beside sure ones', () => {
    const confirmed = (...words: BadWord[]) => keptOf(words, true);
    expect(confirmed(['Milk', 0.9], ['1.65', 0.4, 40])).toBe('Milk 1.65');
    expect(confirmed(['Milk', 0.9], ['165', 0.6, 40])).toBe('Milk');
    expect(confirmed(['Milk', 0.9], ['(req_01M8E1', 0.4, 40])).toBe('Milk (req_01M8E1');
    expect(confirmed(['Milk', 0.9], ['a=4f-81:09,c7', 0.4, 40])).toBe('Milk a=4f-81:09,c7');
    expect(confirmed(['Milk', 0.9], ['req_01M8E1', 0.2, 40])).toBe('Milk');
    expect(confirmed(['Milk', 0.9], ['|..----..|', 0.6, 40])).toBe('Milk');
    expect(confirmed(['Fresh', 0.9], ['Mlik', 0.6], ['Bread', 0.9])).toBe('Fresh Mlik Bread');
    expect(confirmed(['Fresh', 0.9], ['Mlik', 0.4], ['Bread', 0.9])).toBe('Fresh Bread');
  });

  it('apart, beside another such word, or with hardly a letter → dropped', () => {
    expect(kept(['Some', 0.9], ['lamps', 0.9], ['bum', 0.2, 9])).toBe('Some lamps');
    expect(kept(['Some', 0.9], ['lamps', 0.5], ['bum', 0.2])).toBe('Some lamps');
    expect(kept(['Some', 0.9], ['lamps', 0.9], ['b|', 0.2])).toBe('Some lamps');
    expect(kept(['bum', 0.2])).toBe('');
  });
});

describe('text', () => {
  it('a slip of low confidence → kept', () => {
    expect(left(...repeat(9, ['Milk', 0.5]))).toHaveLength(9);
  });

  it('a page mostly of low confidence → kept', () => {
    expect(left(...repeat(10, ['Milk', 0.5], ['Bread', 0.8]))).toHaveLength(20);
  });

  it('a table of dashes, or of single digits → kept', () => {
    expect(left(...repeat(5, ['-', 0.95], ['-', 0.95], ['Monday', 0.95]))).toHaveLength(15);
    expect(left(...repeat(10, ['4', 0.95], ['7', 0.95], ['-', 0.95]))).toHaveLength(30);
  });
});

it('a sign that is wide in print, three times as high as wide in a level line → dropped; one as wide → kept', () => {
  const read = (x1: number) => {
    const set = { fontSize: 10, baseline: 20, bold: false, italic: false, confidence: 0.8 };
    const words: PageWord[] = [
      { ...set, text: '+15', x0: 0, x1: 20, y0: 10, y1: 20 },
      { ...set, text: '=', x0: 30, x1, y0: 8, y1: 24 },
      { ...set, text: '31', x0: 50, x1: 60, y0: 10, y1: 20 },
    ];
    return textsOf(dropNoise([{ lines: [{ x0: 0, x1: 60, y0: 8, y1: 24, words }] } as PageBlock], false));
  };
  expect(read(33)).toEqual(['+15', '31']);
  expect(read(40)).toEqual(['+15', '=', '31']);
});
