import { expect, test } from 'vitest';
import type { Completed } from '../../../../src/contract/outcome.js';
import { type DeliverOptions, type Printable, print, render } from '../../../../src/io/output/deliver.js';
import { createOutput } from '../../../../src/io/output/output.js';
import { PLAIN_STYLE } from '../../../../src/io/terminal/style.js';

const BYTES = new Uint8Array([0x25, 0x50, 0, 0xff]);
const TABLE: Printable = {
  columns: ['Name', 'Value'],
  rows: [
    ['one', 'a\tb'],
    ['two', '\x1b[31m'],
  ],
};
const file = { path: '/x/out', name: 'out', isSpecial: false, mayReplace: true, makesDirectory: false };

function setUp({
  isTerminal = false,
  isJson = false,
  printed,
}: {
  isTerminal?: boolean;
  isJson?: boolean;
  printed?: Printable;
}) {
  const asked: string[] = [];
  const notes: string[] = [];
  const stdout = { isTerminal, columns: 80, isClosed: false, watchReader: () => {}, write: async () => {} };
  const stderr = { ...stdout, write: async (text: string | Uint8Array) => void notes.push(String(text)) };
  const stdoutStyle = async () => PLAIN_STYLE;
  const output = createOutput({ stdout, stderr, stdoutStyle, isJson, isQuiet: false, isDebug: false });
  const options: DeliverOptions = {
    output,
    stdout,
    input: 'a.pdf',
    isOneOfSeveral: false,
    file: undefined,
    functionId: 'F',
    async findOutput(functionId) {
      asked.push(functionId);
      return { print: (result) => (JSON.stringify(result) === '{"ours":1}' ? printed : undefined) };
    },
  };
  return { asked, notes, options };
}

const done = (result: unknown, more: object = {}): Completed => ({ state: 'completed', body: { result, ...more } });
const ours = done({ ours: 1 });

test('a result with a text → printed as it is, without a look-up of the function’s output', async () => {
  const { asked, options } = setUp({ printed: 'other' });
  expect(await render(done({ text: 'x' }), options)).toMatchObject({
    content: 'x\n',
    fileContent: undefined,
    notes: [],
  });
  expect(asked).toEqual([]);
});

test('the output of a function → the same in a pipe and in a file', async () => {
  for (const [printed, expected] of [
    ['a,b', 'a,b\n'],
    [TABLE, 'one\ta b\ntwo\t\x1b[31m\n'],
    [BYTES, BYTES],
  ] as const) {
    const { options } = setUp({ printed });
    expect((await render(ours, options)).content).toEqual(expected);
    expect(await render(ours, { ...options, file })).toMatchObject({ content: '', fileContent: expected });
  }
});

test('rows on a terminal → a table; with several documents → under the document’s name', async () => {
  const { options } = setUp({ isTerminal: true, printed: TABLE });
  const { content } = await render(ours, { ...options, isOneOfSeveral: true });
  expect(content).toMatch(/^==> a\.pdf <==\nName +Value\n/);
  expect(content).toContain('^[[31m');
});

test('bytes for a terminal, or after other results → refused with a hint to use -o', async () => {
  const terminal = setUp({ isTerminal: true, printed: BYTES });
  await expect(render(ours, terminal.options)).rejects.toMatchObject({
    exitCode: 2,
    hint: expect.stringContaining('-o'),
  });
  expect((await render(ours, { ...terminal.options, file })).fileContent).toBe(BYTES);
  const { options } = setUp({ printed: BYTES });
  const job = done({ ours: 1 }, { jobId: 'job_1' });
  await expect(render(job, { ...options, isOneOfSeveral: true })).rejects.toMatchObject({
    exitCode: 2,
    hint: 'ocr jobs result job_1 -o <file>',
  });
});

test('a result of another shape, or of an unknown function → JSON', async () => {
  const { options } = setUp({ printed: BYTES });
  const json = '{\n  "theirs": 2\n}\n';
  expect((await render(done({ theirs: 2 }), options)).content).toBe(json);
  expect((await render(done({ theirs: 2 }), { ...options, findOutput: async () => undefined })).content).toBe(json);
});

test('no function in the command → the one that the answer names', async () => {
  const { asked, options } = setUp({ printed: 'x' });
  await render(done({ ours: 1 }, { function: 'G' }), { ...options, functionId: undefined });
  expect(asked).toEqual(['G']);
  expect((await render(ours, { ...options, functionId: undefined })).content).toContain('"ours": 1');
});

test('--json → the service’s body, not the function’s output', async () => {
  const { asked, options } = setUp({ isJson: true, printed: BYTES });
  const line = '{"input":"a.pdf","result":{"ours":1}}\n';
  expect((await render(ours, { ...options, isOneOfSeveral: true })).content).toBe(line);
  expect(asked).toEqual([]);
});

test('a file → holds what the function prints, or with filesHoldJson the body; --json → a line without the result', async () => {
  const answer = done({ ours: 1 }, { requestId: 'r', meta: {} });
  const line = '{"input":"a.pdf","requestId":"r","meta":{},"output":"out"}\n';
  const whole = '{"input":"a.pdf","result":{"ours":1},"requestId":"r","meta":{}}\n';
  for (const isJson of [false, true]) {
    const { options } = setUp({ isJson, printed: BYTES });
    const content = isJson ? line : '';
    expect(await render(answer, { ...options, file })).toMatchObject({ content, fileContent: BYTES });
    expect(await render(answer, { ...options, file, filesHoldJson: true })).toMatchObject({
      content,
      fileContent: whole,
    });
  }
});

test('--json on a terminal → indented; one of several results → one line', async () => {
  const { options } = setUp({ isJson: true, isTerminal: true });
  expect((await render(ours, options)).content).toBe('{\n  "input": "a.pdf",\n  "result": {\n    "ours": 1\n  }\n}\n');
  const line = '{"input":"a.pdf","result":{"ours":1}}\n';
  expect((await render(ours, { ...options, isOneOfSeveral: true })).content).toBe(line);
});

test('--json of an answer with an input of its own → the name on the command line', async () => {
  const { options } = setUp({ isJson: true });
  const answer = done({ ours: 1 }, { input: 'theirs.pdf' });
  expect((await render(answer, options)).content).toBe('{"input":"a.pdf","result":{"ours":1}}\n');
});

test('an empty result and warnings → a note for each', async () => {
  const { notes, options } = setUp({ printed: { columns: ['Name'], rows: [] } });
  await print(await render(ours, options), options.output);
  await print(await render(done({ text: ' ', warnings: [{ page: 2, message: 'is torn' }] }), options), options.output);
  expect(notes).toEqual(['a.pdf: nothing was found\n', 'a.pdf: page 2: is torn\n', 'a.pdf: no text was found\n']);
});

test('one warning of several pages → one note with their ranges', async () => {
  const { notes, options } = setUp({ printed: { columns: ['Name'], rows: [['x']] } });
  const slow = (page: number) => ({ page, message: 'is slow' });
  const warnings = [slow(1), slow(2), { page: 2, message: 'is torn' }, slow(4), slow(3), slow(7), 'all is odd'];
  await print(await render(done({ text: 'x', warnings }), options), options.output);
  expect(notes).toEqual(['a.pdf: pages 1-4,7: is slow\n', 'a.pdf: page 2: is torn\n', 'a.pdf: all is odd\n']);
});

test('results of several parts in a pipe, from several documents → an empty line between the documents', async () => {
  const written: string[] = [];
  const stdout = {
    isTerminal: false,
    columns: 80,
    isClosed: false,
    watchReader: () => {},
    write: async (text: string | Uint8Array) => void written.push(String(text)),
  };
  const stdoutStyle = async () => PLAIN_STYLE;
  const output = createOutput({
    stdout,
    stderr: { ...stdout, write: async () => {} },
    stdoutStyle,
    isJson: false,
    isQuiet: false,
    isDebug: false,
  });
  const findOutput = async () => ({
    print: (result: unknown) => (result as { csv: string }).csv,
    several: { part: 'table', print: () => undefined },
  });
  const { options } = setUp({});
  for (const csv of ['a,b\n', '', 'c,d\n'])
    await print(await render(done({ csv }), { ...options, output, stdout, isOneOfSeveral: true, findOutput }), output);
  expect(written.join('')).toBe('a,b\n\nc,d\n');
});
