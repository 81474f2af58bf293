import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../../src/engine/model/page.js';
import { findWordsInColumns } from '../../../../../src/engine/stages/recognise/words-in-columns.js';

const wordAt = (text: string, x0: number, row: number, confidence: number): PageWord => ({
  ...{ text, confidence, x0, x1: x0 + text.length * 6, y0: row * 20, y1: row * 20 + 10 },
  ...{ baseline: row * 20 + 10, fontSize: 12, bold: false, italic: false },
});
const wares = ['bolts', 'hinges', 'glue', 'lamps', 'boards'];
const names = wares.map((text, row) => wordAt(text, 0, row, 0.95));

/** Sets a column of words beside that of the wares, of which the surer ones than .9 were read. */
function look(...column: [text: string, confidence: number][]): string[] {
  const words = column.map(([text, confidence], row) => wordAt(text, 100, row, confidence));
  const isRead = ({ confidence }: PageWord) => (confidence ?? 0) > 0.9;
  const [read, doubtful] = [words.filter(isRead), words.filter((word) => !isRead(word))];
  return findWordsInColumns(doubtful, [...names, ...read]).map(({ text }) => text);
}

describe('a doubtful word in a column of a table', () => {
  it('the text of a surer cell above or below, in capitals or not → found', () => {
    expect(look(['pc.', 0.95], ['pc.', 0.4], ['m', 0.95], ['PC.', 0.35], ['m', 0.95])).toEqual(['pc.', 'PC.']);
    expect(look(['kg', 0.95], ['pc.', 0.4], ['m', 0.95], ['l', 0.95])).toEqual([]);
    expect(look(['pc.', 0.95], ['pc.', 0.2])).toEqual([]);
  });

  it('the kind of two cells, and no longer than they are → found', () => {
    expect(look(['kg', 0.95], ['h', 0.7], ['m', 0.95])).toEqual(['h']);
    expect(look(['kg', 0.95], ['h', 0.5], ['m', 0.95])).toEqual([]);
    expect(look(['kg', 0.95], ['oak', 0.7], ['m', 0.95])).toEqual([]);
    expect(look(['7', 0.95], ['O', 0.8], ['9', 0.95])).toEqual([]);
  });

  it('a column of which no cell was read surely → its cells tell each other', () => {
    expect(look(['h', 0.7], ['m', 0.8], ['h', 0.75])).toEqual(['h', 'm', 'h']);
    expect(look(['h', 0.7])).toEqual([]);
  });

  it('a sign in a column of short words → found; another sign, and what rules look like → not', () => {
    expect(look(['H', 0.95], ['+', 0.8], ['L', 0.95], ['?', 0.8])).toEqual(['+', '?']);
    expect(look(['Hall', 0.95], ['+', 0.8], ['Barn', 0.95])).toEqual([]);
    expect(look(['H', 0.95], ['~', 0.8], ['l', 0.8], ['I', 0.8], ['1', 0.8])).toEqual([]);
  });

  it('words that follow each other, without another cell beside them, or at the place of a sure word → not', () => {
    const doubtful = wordAt('pc.', 100, 1, 0.5);
    const sure = [wordAt('pc.', 100, 0, 0.95), wordAt('pc.', 100, 2, 0.95)];
    expect(findWordsInColumns([doubtful], [...names, ...sure])).toEqual([doubtful]);
    expect(findWordsInColumns([doubtful], sure)).toEqual([]);
    expect(findWordsInColumns([doubtful], [...names, ...sure, wordAt('and', 122, 1, 0.95)])).toEqual([]);
    expect(findWordsInColumns([doubtful], [...names, ...sure, wordAt('p', 102, 1, 0.95)])).toEqual([]);
  });
});
