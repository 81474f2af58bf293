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
const textOf = (words: readonly RawWord[]): string[] => read(words).split(/\n+/);
const row = (cells: readonly string[], y: number, bold = false): RawWord[] =>
  cells.flatMap((cell, index) => setLine(cell, [50, 330, 400, 500][index] ?? 0, y, { bold }));
const items = (y: number): RawWord[] => [
  ...row(['Description', 'Count', 'Price', 'Amount'], y, true),
  ...row(['Garden shears', '2', '24.90', '49.80'], y + 18),
  ...row(['Watering can', '1', '18.50', '18.50'], y + 36),
  ...row(['Potting soil', '6', '7.20', '43.20'], y + 54),
];
const ITEMS = '| Description | Count | Price | Amount |\n| --- | --- | --- | --- |\n| Garden shears | 2 |';

describe('blocks side by side', () => {
  const head = [...setLine('Hazel Print Works', 50, 100, { size: 15 }), ...setLine('Lower Road 44, Dunmore', 50, 115)];
  const data = ['Invoice no. 2026-0417', 'Date: 17 April 2026', 'Due: 17 May 2026'];
  const page = (y: number, step: number) =>
    textOf([...head, ...setLines(data, 330, y, step), ...items(180)]).slice(0, 5);

  it('lines that are not level → each block by itself, one of the lines level by chance too', () => {
    for (const read of [page(91, 14), page(95, 10)])
      expect(read).toEqual(['# Hazel Print Works', 'Lower Road 44, Dunmore', ...data]);
  });

  it('level lines → rows', () => {
    expect(page(100, 15)[1]).toMatch(/^Lower Road 44, Dunmore Date: 17 April 2026/);
  });

  it('several blocks → each by itself', () => {
    const third = ['Lighthouse Bank', 'Account 001122'];
    const words = [
      ...head,
      ...setLines(data.slice(0, 2), 230, 107, 14),
      ...setLines(third, 430, 97, 14),
      ...items(180),
    ];
    const [name, ...read] = textOf(words).slice(0, 4);
    expect(name).toBe('# Hazel Print Works');
    expect(read).toEqual(['Lower Road 44, Dunmore', data.slice(0, 2).join(' '), third.join(' ')]);
  });
});

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

  it('an address beside a letterhead, the subject and the greeting below it → no column with these', () => {
    const head = ['Northern Gas plc', 'PO Box 210', 'Leeds', 'help@example.org', '0800 111 999'];
    const party = ['Maria Keller', 'Lindenweg 8', '79100 Freiburg'];
    const texts = ['Your contract 55-102-7', 'Dear Ms. Keller,'];
    const text =
      'Thank you for your letter. From April the price of a kilowatt-hour falls from 7.4 to 6.9 pence, and the rest stays.';
    const words = [
      ...setLines(party, 50, 100),
      ...setLines(head, 330, 100),
      ...setLine('Leeds, 9 March 2026', 330, 171),
      ...texts.flatMap((line, index) => setLine(line, 50, 193 + index * 23)),
      ...setLine(text, 50, 239),
    ];
    const lines = textOf(words).map((line) => line.replace(/^#+ /, ''));
    expect(lines.slice(0, 3)).toEqual(party);
    expect(lines.indexOf(head[0] ?? '')).toBeLessThan(lines.indexOf(texts[0] ?? ''));
    expect(lines.indexOf(texts[0] ?? '')).toBeLessThan(lines.indexOf(texts[1] ?? ''));
  });

  it('subject and greeting beside the end of a letterhead → below it', () => {
    const party = ['Maria Keller', 'Lindenweg 8', '79100 Freiburg'];
    const lines = [
      ...setLines(party, 50, 100),
      ...setLine('Your contract', 50, 153),
      ...setLine('Dear Ms. Keller,', 50, 176),
    ];
    const head = [
      'Northern Gas plc',
      '14 Mill Lane',
      'Leeds LS2 8JT',
      'Tel. 0800 111 999',
      'help@example.org',
      'Ref. 55-102',
    ];
    expect(textOf([...lines, ...setLines(head, 330, 100)]).map((line) => line.replace(/^#+ /, ''))).toEqual([
      ...[...party, ...head],
      ...['Your contract', 'Dear Ms. Keller,'],
    ]);
  });

  it('a name in large type beside the rest of its address → before it', () => {
    const rest = ['14 Quay Street', 'Lowmouth LM2 4QT', 'Tel. 01632 960 114'];
    const words = [...setLine('Brackwater & Sons', 50, 116, { size: 22 }), ...setLines(rest, 330, 100)];
    expect(textOf(words)).toEqual(['# Brackwater & Sons', rest.join(' ')]);
  });

  it('how to reach, pay and find a sender, at the foot of a letter → each by itself, line by line', () => {
    const details = [
      ['Brackwater & Sons', '14 Quay Street', 'Lowmouth LM2 4QT'],
      ['Tel. 01632 960 114', 'Fax 01632 960 115', 'office@brackwater.example'],
      ['Harbour Bank', 'IBAN GB12 LOYD 3092 1234', 'BIC LOYDGB2L'],
      ['Company no. 0451327', 'VAT 123 4567 89', 'www.brackwater.example/2026'],
    ];
    const words = details.flatMap((lines, index) => setLines(lines, 50 + index * 135, 740, 9));
    expect(textOf(words)).toEqual(details.flat());
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

  it('authors of a paper, each with an address of e-mail → one by one, above the columns', () => {
    const left = setLines(['Ada Weaver', 'Guild of Spinners', 'ada@guild.example'], 90, 100);
    const right = setLines(['Ben Dyer', 'School of Colours', 'ben@school.example'], 370, 100);
    const prose = (x: number) =>
      setLines(
        Array.from({ length: 8 }, (_, line) => `and so the thread goes on until line ${line + x}`),
        x,
        170,
      );
    const text = textOf([...left, ...right, ...prose(50), ...prose(320)]).join(' ');
    expect(text).toMatch(/^Ada Weaver Guild of Spinners \S+ Ben Dyer School of Colours \S+ and so/);
  });
});
