import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/pages/warm-workers.js';
import type { OcrFunction } from '../../../src/functions/function.js';
import { examples } from '../../fixtures/manifest.js';
import { checkResult } from '../../support/check-result.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/a-new-function.md'), 'utf8');
const [, name = '', source = ''] = /```ts\n\/\/ (src\/functions\/[\w-]+\.ts)\n([\s\S]*?)```/.exec(guide) ?? [];

afterAll(closeIdleWorkers);

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(
  { ...config, compilerOptions: { ...config.compilerOptions, sourceMap: false } },
  ts.sys,
  ROOT,
);
const host = ts.createCompilerHost(options);
/** What the compiler has read already. */
const read = new Map<string, ts.SourceFile | undefined>();

/** The example as a file of the project, by the project's own settings of the compiler. */
function compile(text: string): { errors: string[]; code: string } {
  const path = join(ROOT, name);
  const program = ts.createProgram([path], options, {
    ...host,
    fileExists: (file) => file === path || host.fileExists(file),
    readFile: (file) => (file === path ? text : host.readFile(file)),
    getSourceFile(file, ...rest) {
      if (file === path) return ts.createSourceFile(file, text, rest[0]);
      if (!read.has(file)) read.set(file, host.getSourceFile(file, ...rest));
      return read.get(file);
    },
  });
  const file = program.getSourceFile(path);
  const errors = ts.getPreEmitDiagnostics(program, file);
  let code = '';
  program.emit(file, (written, emitted) => {
    if (written.endsWith('.js')) code = emitted;
  });
  return { errors: errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')), code };
}

test('the example of docs/a-new-function.md compiles, runs, and gives what its schema says', async () => {
  const { errors, code } = compile(source);
  expect(errors).toEqual([]);
  const directory = mkdtempSync(join(tmpdir(), 'ocr-new-function-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const built = pathToFileURL(join(ROOT, 'dist/functions/x.js'));
  const file = join(directory, 'word-count.mjs');
  const linked = code.replace(/(from |import\()'(\.[^']+)'/g, (_, how, to) => `${how}'${new URL(to, built).href}'`);
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

test('an example that does not fit the project is found', () => {
  expect(compile(source.replace("title: 'Word count',", '')).errors.join()).toContain('title');
  expect(compile(source.replace('toReadOptions(request)', 'request')).errors).not.toEqual([]);
});
