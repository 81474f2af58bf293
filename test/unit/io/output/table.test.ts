import { expect, test } from 'vitest';
import { type Column, renderTable } from '../../../../src/io/output/table.js';
import { PLAIN_STYLE } from '../../../../src/io/terminal/style.js';

const sink = (isTerminal: boolean, columns = 80) => ({
  isTerminal,
  columns,
  isClosed: false,
  watchReader: () => {},
  write: async () => {},
});
const rows = [
  ['one', 'a\tb\nc'],
  ['two', '\x1b[31m'],
];

test('a table in a pipe → tabs, no header, a line for each row', async () => {
  expect(await renderTable(['Name', 'Value'], rows, sink(false), async () => PLAIN_STYLE)).toBe(
    'one\ta b c\ntwo\t^[[31m\n',
  );
  expect(await renderTable(['Name'], [], sink(false), async () => PLAIN_STYLE)).toBe('');
});

test('a table on a terminal → aligned under a header, without escape sequences', async () => {
  const table = await renderTable(['Name', 'Value'], rows, sink(true), async () => PLAIN_STYLE);
  expect(table).toContain('Name');
  expect(table).toContain('^[[31m');
  expect(table).not.toContain('\x1b');
});

test.each([20, 40, 80])('a terminal of %i columns → prose is folded, other cells stay whole', async (columns) => {
  const whole = [
    'req_01M7WR7YKVK0Y7BTH3ZC5BJM1H',
    'ocr extract --base-url https://ocr.example.com scans/a.pdf',
    'A B.pdf',
  ];
  const prose = 'What failed, on what, and what to do about it: repeating gives the same. '.repeat(2).trim();
  const shown = await renderTable(
    ['', ''],
    [...whole.map((text) => ['Whole', text]), ['Prose', { prose }]],
    sink(true, columns),
    async () => PLAIN_STYLE,
  );
  const lines = shown.split('\n');
  // The value of one that is too long for its place stands below the name.
  for (const text of whole) expect(lines).toContain(text.length + 7 <= columns ? `Whole  ${text}` : `  ${text}`);
  const told = lines.slice(lines.findIndex((line) => line.includes('Prose')));
  expect(told.join(' ').replace(/ +/g, ' ').trim()).toBe(`Prose ${prose}`);
  expect(Math.max(...told.map((line) => line.length))).toBeLessThanOrEqual(Math.max(columns, 34));
});

test('a table wider than the terminal → a card for each row', async () => {
  const list: Array<[string, string, string]> = [
    ['job_01M7WR7YKVK0Y7BTH3ZC5BJM1H', 'queued', 'examples/scanned.pdf'],
    ['job_01M7WR7YKVK0Y7BTH3ZC5BJM1J', '', 'b.pdf'],
  ];
  const render = async (columns: number) =>
    await renderTable(['Job', 'Status', 'Input'], list, sink(true, columns), async () => PLAIN_STYLE);
  expect(await render(40)).toBe(
    [
      'Job     job_01M7WR7YKVK0Y7BTH3ZC5BJM1H',
      'Status  queued',
      'Input   examples/scanned.pdf',
      '',
      'Job    job_01M7WR7YKVK0Y7BTH3ZC5BJM1J',
      'Input  b.pdf',
      '',
    ].join('\n'),
  );
  expect((await render(80)).split('\n')).toHaveLength(4);
});

const LONG_PATH = 'invoices/2026/march/invoice-4711-final.pdf';
test.each([
  [51, [`Input    ${LONG_PATH}`]],
  [50, ['Input', `  ${LONG_PATH}`]],
  [40, ['Input', `  …${LONG_PATH.slice(-37)}`]],
])(
  'a card on a terminal of %i columns → its path whole where there is room, its end where there is none',
  async (columns, path) => {
    const [id, error] = ['req_01M7WR7YKVK0Y7BTH3ZC5BJM1H', 'UNSUPPORTED_MEDIA_TYPE'];
    const names = ['Request', 'Status', 'Input', 'Error'];
    const rows = [[id, { state: 'failed' }, { path: LONG_PATH }, error]];
    const card = await renderTable(names, rows, sink(true, columns), async () => PLAIN_STYLE);
    expect(card.split('\n')).toEqual([`Request  ${id}`, 'Status   failed', ...path, `Error    ${error}`, '']);
  },
);

test('prose → folded between words, only when the terminal is too narrow; in a pipe → not folded', async () => {
  const address = 'https://ocr.example.com/v1/ocr/functions';
  const rows = [['x', { prose: `See ${address} for what it takes` }]];
  const render = async (isTerminal: boolean, columns: number) =>
    await renderTable(['', ''], rows, sink(isTerminal, columns), async () => PLAIN_STYLE);
  expect((await render(true, 30)).split('\n').map((line) => line.trim())).toContain(address);
  expect(await render(true, 80)).toBe(`x  See ${address} for what it takes\n`);
  expect(await render(false, 30)).toBe(`x\tSee ${address} for what it takes\n`);
});

test('an ever narrower terminal → shorter paths, fewer columns, cards at last', async () => {
  const [id, time, path] = ['job_01M7WR7YKVK0Y7BTH3ZC5BJM1H', '2026-01-31T12:00:00.000Z', 'invoices/2026/may/scan.pdf'];
  const columns = [
    'Job',
    { name: 'Function', omitWhen: 'narrow' },
    { name: 'Sent', omitWhen: 'narrow' },
    'Input',
    { name: 'Error', omitWhen: 'empty' },
  ];
  const rows = [[id, 'TEXT_EXTRACTION', { whole: time, short: '3 min. ago' }, { path }, '']];
  const render = async (isTerminal: boolean, width: number) =>
    await renderTable(columns as Column[], rows, sink(isTerminal, width), async () => PLAIN_STYLE);
  const lines = async (width: number) => (await render(true, width)).split('\n');
  // Nobody sees that no row has an error.
  expect(await lines(87)).toEqual([
    `Job${' '.repeat(29)}Function         Sent        Input`,
    `${id}  TEXT_EXTRACTION  3 min. ago  ${path}`,
    '',
  ]);
  expect((await lines(77))[1]).toBe(`${id}  TEXT_EXTRACTION  3 min. ago  …26/may/scan.pdf`);
  expect((await lines(76))[1]).toBe(`${id}  3 min. ago  ${path}`);
  expect((await lines(53))[1]).toBe(`${id}  ${path.slice(-21).replace(/^./, '…')}`);
  expect((await lines(48))[1]).toBe(`${id}  …26/may/scan.pdf`);
  expect((await lines(40))[1]).toBe(`${id}  …can.pdf`);
  expect(await lines(39)).toEqual([
    'Job',
    `  ${id}`,
    'Function  TEXT_EXTRACTION',
    `Sent      ${time}`,
    `Input     ${path}`,
    '',
  ]);
  expect(await render(false, 41)).toBe(`${id}\tTEXT_EXTRACTION\t${time}\t${path}\t\n`);
});

test('columns to omit on the narrowest terminal → omitted last, at any position', async () => {
  const columns: Column[] = ['A', { name: 'Function', omitWhen: 'narrowest' }, { name: 'ms', omitWhen: 'narrow' }];
  const heads = async (width: number) =>
    (await renderTable(columns, [['a', 'f', '1']], sink(true, width), async () => PLAIN_STYLE)).split('\n')[0];
  expect(await Promise.all([15, 14, 10].map(heads))).toEqual(['A  Function  ms', 'A  Function', 'A']);
});

test('prose in a middle column → folded there', async () => {
  const rows = [['X', { prose: 'pdf bmp gif jpeg png tiff webp' }, '1000']];
  const columns = ['Function', 'Accepts', 'Pages'];
  expect(await renderTable(columns, rows, sink(true, 42), async () => PLAIN_STYLE)).toBe(
    [
      'Function  Accepts                    Pages',
      'X         pdf bmp gif jpeg png tiff  1000',
      '          webp',
      '',
    ].join('\n'),
  );
});

test('a path with wide or combined characters → cut by terminal columns, not by characters', async () => {
  const columns: Column[] = ['Input', 'Status'];
  const render = async (path: string) =>
    (await renderTable(columns, [[{ path }, 'done']], sink(true, 24), async () => PLAIN_STYLE)).split('\n')[1];
  expect(await render('請求書/二〇二六年十一月分.pdf')).toBe('…年十一月分.pdf  done');
  // macOS writes u and two combining dots.
  expect(await render('abcdefghijklmnu\u0308')).toBe('abcdefghijklmnu\u0308  done');
  // A family of three is one picture, and an ideograph beyond 16 bits is as wide as others.
  expect(await render('👨‍👩‍👧-abcdefghijklm')).toBe('👨‍👩‍👧-abcdefghijklm  done');
  expect(await render('𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷')).toBe('…𠮷𠮷𠮷𠮷𠮷𠮷𠮷  done');
});
