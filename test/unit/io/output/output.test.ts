import { expect, test } from 'vitest';
import { createOutput } from '../../../../src/io/output/output.js';
import { PLAIN_STYLE } from '../../../../src/io/terminal/style.js';

function printTo(columns: number, isTerminal = true) {
  const written: string[] = [];
  const sink = {
    isTerminal,
    columns,
    isClosed: false,
    watchReader: () => {},
    write: async (text: string | Uint8Array) => void written.push(String(text)),
  };
  const options = { stdout: sink, stderr: sink, isJson: false, isQuiet: false, isDebug: false };
  const output = createOutput({ ...options, stdoutStyle: async () => PLAIN_STYLE });
  return { output, text: () => written.join('') };
}

test('a note on a narrow terminal → goes on, indented, between its facts; a command in it stays whole', () => {
  const summary = '2 of 3 documents done · 2 pages · 0:02 · written to out · 1 failed (ocr requests --failed)';
  const list = 'Skipped 2 files: docs/a.html (HTML page), docs/b.txt (plain text)';
  const advice = 'Convert them first: soffice --headless --convert-to pdf docs/a.html';
  const narrow = printTo(40);
  for (const note of [summary, list, advice]) narrow.output.note(note);
  expect(narrow.text().split('\n')).toEqual([
    '2 of 3 documents done · 2 pages · 0:02',
    '  written to out',
    '  1 failed (ocr requests --failed)',
    'Skipped 2 files: docs/a.html (HTML page),',
    '  docs/b.txt (plain text)',
    advice,
    '',
  ]);
  for (const [columns, isTerminal] of [
    [120, true],
    [40, false],
  ] as const) {
    const wide = printTo(columns, isTerminal);
    wide.output.note(summary);
    expect(wide.text()).toBe(`${summary}\n`);
  }
});

test('properties on a narrow terminal → what does not fit stands below its name', async () => {
  const narrow = printTo(40);
  await narrow.output.properties([
    ['Organisation', 'A'],
    ['Request', 'req_01M7WR7YKVK0Y7BTH3ZC5BJM1H'],
    ['Key', { prose: 'a support key: it belongs to no organisation and sends no documents' }],
  ]);
  expect(narrow.text().split('\n')).toEqual([
    'Organisation  A',
    'Request',
    '  req_01M7WR7YKVK0Y7BTH3ZC5BJM1H',
    'Key           a support key: it belongs',
    '              to no organisation and',
    '              sends no documents',
    '',
  ]);
});
