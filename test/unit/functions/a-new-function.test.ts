import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript-api';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import type { OcrFunction } from '../../../src/functions/function.js';
import { examples } from '../../fixtures/manifest.js';
import { checkResult } from '../../support/check-result.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/a-new-function.md'), 'utf8');
const [, name = '', source = ''] = /```ts\n\/\/ (src\/functions\/[\w-]+\.ts)\n([\s\S]*?)```/.exec(guide) ?? [];

afterAll(closeIdleWorkers);

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(
  // noEmitOnError would check the whole project first. The errors of the example are read below.
  { ...config, compilerOptions: { ...config.compilerOptions, noEmitOnError: false } },
  ts.sys,
  ROOT,
);
const host = ts.createCompilerHost(options);
const EXAMPLE = join(ROOT, name);
/** The example, and examples that do not fit the project, in one program: each further one would check the project again. */
const sources = new Map([
  [EXAMPLE, source],
  [EXAMPLE.replace('.ts', '-without-title.ts'), source.replace("title: 'Word count',", '')],
  [EXAMPLE.replace('.ts', '-with-wrong-argument.ts'), source.replace('toReadOptions(request)', 'request')],
]);
const program = ts.createProgram([...sources.keys()], options, {
  ...host,
  fileExists: (path) => sources.has(path) || host.fileExists(path),
  readFile: (path) => sources.get(path) ?? host.readFile(path),
  getSourceFile(path, ...rest) {
    const text = sources.get(path);
    return text === undefined ? host.getSourceFile(path, ...rest) : ts.createSourceFile(path, text, rest[0]);
  },
});

/** The compiler's messages for each source, with the settings of the project. */
const [errors = [], ...errorsOfOthers] = [...sources.keys()].map((path) =>
  ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
);

function emit(): string {
  let code = '';
  program.emit(program.getSourceFile(EXAMPLE), (path, emitted) => {
    if (path.endsWith('.js')) code = emitted;
  });
  return code;
}

test('the example of docs/a-new-function.md → compiles, runs, and matches its schema', async () => {
  expect(errors).toEqual([]);
  const directory = mkdtempSync(join(tmpdir(), 'ocr-new-function-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const built = pathToFileURL(join(ROOT, 'dist/functions/x.js'));
  const file = join(directory, 'word-count.mjs');
  const linked = emit().replace(/(from |import\()'(\.[^']+)'/g, (_, how, to) => `${how}'${new URL(to, built).href}'`);
  writeFileSync(file, linked);
  const { wordCount } = (await import(pathToFileURL(file).href)) as { wordCount: OcrFunction };
  const { path, mimeType } = examples.report;
  const limits = { maxPixels: 1e6, parallelism: 1 };
  const count = async (args: Record<string, unknown>) => {
    const { result } = await wordCount.run({ path, mimeType, args, limits, onProgress: () => undefined });
    checkResult(wordCount, result);
    return result;
  };
  const all = await count({ pages: '1-2' });
  expect(all).toEqual({ pages: [1, 2].map((page) => ({ page, words: expect.any(Number) })) });
  const printed = wordCount.output.print(all) as { columns: string[]; rows: string[][] };
  expect(printed.rows.map(([page]) => page)).toEqual(['1', '2']);
  expect(Number(printed.rows[0]?.[1])).toBeGreaterThan(100);
  const long = wordCount.output.print(await count({ pages: '1-2', minLength: 8 })) as { rows: string[][] };
  expect(Number(long.rows[0]?.[1])).toBeLessThan(Number(printed.rows[0]?.[1]) / 2);
  expect(wordCount.output.print({ pages: [{ words: 'many' }] })).toBeUndefined();
});

test('an example that does not fit the project → an error', () => {
  const [withoutTitle, withWrongArgument] = errorsOfOthers;
  expect(withoutTitle?.join()).toContain('title');
  expect(withWrongArgument?.length).toBeGreaterThan(0);
});
