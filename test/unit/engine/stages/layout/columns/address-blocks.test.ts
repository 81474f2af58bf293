import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine, setLines } from '../../../set-words.js';

const SENDER = [
  'Northwind Tools Ltd.',
  '14 Harbour Street',
  'Bristol BS1 4QA',
  'United Kingdom',
  'office@northwind.example',
];
const CUSTOMER = ['Maria Keller', 'Keller Garden Design', 'Lindenweg 8', '79100 Freiburg', 'Germany'];
const DATA = ['Invoice number', 'Invoice date', 'Due date', 'Customer'];
const VALUES = ['2024-0173', '12 March 2024', '11 April 2024', 'C-4471'];

const read = (words: readonly RawWord[]): string => renderMarkdown(documentOf([readPage(words)]), {});
const row = (cells: readonly string[], y: number, bold = false): RawWord[] =>
  cells.flatMap((cell, index) => setLine(cell, [50, 330, 400, 500][index] ?? 0, y, { bold }));
const items = (y: number): RawWord[] => [
  ...row(['Description', 'Count', 'Price', 'Amount'], y, true),
  ...row(['Garden shears', '2', '24.90', '49.80'], y + 18),
  ...row(['Watering can', '1', '18.50', '18.50'], y + 36),
  ...row(['Potting soil', '6', '7.20', '43.20'], y + 54),
];
const ITEMS = '| Description | Count | Price | Amount |\n| --- | --- | --- | --- |\n| Garden shears | 2 |';

describe('addresses side by side', () => {
  it('two parties above a table → each by itself, line by line, and no rows of the table', () => {
    const markdown = read([...setLines(SENDER, 50, 100), ...setLines(CUSTOMER, 330, 100), ...items(180)]);
    expect(markdown.startsWith([...SENDER, ...CUSTOMER].join('\n\n'))).toBe(true);
    expect(markdown).toContain(`\n\n${ITEMS}`);
  });

  it('streets without numbers, towns with their post codes → each address by itself', () => {
    const billed = ['Esk Valley Rowing Club', 'Attn. P. Harland', 'Boathouse Lane', 'Whitby YO22 4DX'];
    const shipped = ['Esk Valley Rowing Club', 'Upper Slip', 'Ruswarp YO22 5NL'];
    const markdown = read([...setLines(billed, 50, 100), ...setLines(shipped, 330, 100), ...items(180)]);
    expect(markdown.startsWith([...billed, ...shipped].join('\n\n'))).toBe(true);
  });

  it('an address beside the data of an invoice → the address, then the table of the data', () => {
    const data = [...setLines(DATA, 330, 100), ...setLines(VALUES, 450, 100)];
    const markdown = read([...setLines(SENDER, 50, 100), ...data, ...items(180)]);
    expect(markdown.startsWith(`${SENDER.join('\n\n')}\n\n| Invoice number | 2024-0173 |`)).toBe(true);
    expect(markdown).toContain(`\n\n${ITEMS}`);
  });

  it('labels beside the lines of an address → rows', () => {
    const labels = setLines(['Name', 'Company', 'Street', 'Town', 'Country'], 50, 100);
    expect(read([...labels, ...setLines(CUSTOMER, 200, 100)])).toContain('| Street | Lindenweg 8 |');
  });

  it('streets and towns in columns of their own → rows', () => {
    const streets = ['Street', 'Lindenweg 8', 'Talstrasse 12', 'Am Markt 3', 'Seeweg 40'];
    const towns = ['Town', '79100 Freiburg', '79108 Freiburg', '79098 Freiburg', '79104 Freiburg'];
    expect(read([...setLines(streets, 50, 100), ...setLines(towns, 330, 100)])).toContain(
      '| Talstrasse 12 | 79108 Freiburg |',
    );
  });
});
