import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import { catalog as builtCatalog, findFunction } from '../../../dist/functions/catalog.js';
import { catalog } from '../../../src/functions/catalog.js';
import { textExtraction } from '../../../src/functions/text-extraction.js';
import { documents, examples, PASSWORD } from '../../fixtures/manifest.js';
import { checkResult } from '../../support/check-result.js';

const limits = { maxPixels: 100e6, parallelism: 2 };
const run = (fixture: { path: string; mimeType: string }, args: Record<string, unknown>) => {
  const entry = findFunction('TEXT_EXTRACTION');
  if (entry === undefined) throw new Error('no TEXT_EXTRACTION');
  return entry.run({ path: fixture.path, mimeType: fixture.mimeType, args, limits, onProgress: () => undefined });
};

afterAll(closeIdleWorkers);

describe('catalog', () => {
  it('the catalog → sorted by id, with ids of the contract’s form', () => {
    const ids = catalog.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    for (const id of ids) expect(id).toMatch(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
    expect(findFunction('NO_SUCH_FUNCTION')).toBeUndefined();
  });

  it.each(catalog.map((entry) => [entry.id, entry] as const))(
    '%s → a schema that describes every argument',
    (_, entry) => {
      const { argsSchema } = entry;
      expect(argsSchema.additionalProperties).toBe(false);
      const properties = argsSchema.properties as Record<
        string,
        { description?: string; examples?: unknown[]; default?: unknown }
      >;
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      const validate = ajv.compile(argsSchema);
      expect(validate({})).toBe(true);
      for (const [name, property] of Object.entries(properties)) {
        expect(property.description, name).toBeTruthy();
        expect(property.examples?.length, name).toBeGreaterThan(0);
        for (const example of property.examples ?? []) expect(validate({ [name]: example }), name).toBe(true);
        if (property.default !== undefined) expect(validate({ [name]: property.default }), name).toBe(true);
      }
      expect(validate({ nonsense: 1 })).toBe(false);
    },
  );

  it.each(catalog.map((entry) => [entry.id, entry] as const))('%s → a schema that describes its result', (_, entry) => {
    const { resultSchema } = entry;
    expect(() => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(resultSchema)).not.toThrow();
    // It becomes a part of the OpenAPI document, where a reference would lead elsewhere.
    expect(JSON.stringify(resultSchema)).not.toContain('$ref');
    for (const [name, property] of propertiesOf(resultSchema)) expect(property.description, name).toBeTruthy();
    expect(() => checkResult(entry, { nonsense: 1 })).toThrow('is not as its resultSchema says');
  });

  it.each(catalog.map((entry) => [entry.id, entry.output] as const))(
    '%s with an unknown result → not printed',
    (_, { extension, print }) => {
      expect(extension).toMatch(/^\.[a-z]+$/);
      const lists = ['pages', 'tables', 'fields', 'barcodes'].flatMap((name) => [
        { [name]: 'x' },
        { [name]: [null] },
        { [name]: [{ box: 1, lines: 'x' }] },
      ]);
      for (const result of [undefined, null, 1, 'x', [], {}, { pdf: 1, text: 2 }, ...lists]) {
        expect(print(result), JSON.stringify(result)).toBeUndefined();
      }
    },
  );

  it('the catalog without a run → no engine loaded', async () => {
    const url = new URL('../../../dist/functions/catalog.js', import.meta.url).href;
    const script = `import { catalog } from ${JSON.stringify(url)};
      const loaded = process.moduleLoadList.filter((name) => name.includes('worker_threads')).length;
      console.log(catalog.length, loaded);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout.trim()).toBe(`${builtCatalog.length} 0`);
  });
});

/** Lists the properties of the schema and of all schemas in it. */
function propertiesOf(schema: unknown): Array<[string, { description?: string }]> {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries((schema as { properties?: object }).properties ?? {});
  return [...own, ...Object.values(schema).flatMap(propertiesOf)];
}

describe('TEXT_EXTRACTION', () => {
  it('arguments → checked by the schema', () => {
    const validate = new Ajv2020().compile(textExtraction.argsSchema);
    expect(
      validate({ format: 'markdown', pages: '1-3,7,-1', ocr: 'force', languages: ['deu', 'eng'], password: 'x' }),
    ).toBe(true);
    for (const pages of ['01', '-1', '5-', '-3--1', ' 10 , 20-30']) expect(validate({ pages }), pages).toBe(true);
    for (const args of [
      { format: 'html' },
      { pages: 'first' },
      { pages: 3 },
      { pages: '0' },
      { pages: '1,-00' },
      { pages: '0-3' },
      { pages: '2-0' },
      { ocr: 'maybe' },
      { languages: [] },
      { languages: ['../eng'] },
    ]) {
      expect(validate(args), JSON.stringify(args)).toBe(false);
    }
  });

  it('a document → its text and the engine that read it', async () => {
    const { result, provider, pageCount } = await run(examples.report, { pages: '1' });
    checkResult(textExtraction, result);
    expect(result).toEqual({
      text: expect.stringContaining('Alder Vale Library: Annual Report'),
      pages: [{ page: 1, source: 'text-layer', confidence: null }],
    });
    expect({ provider, pageCount }).toEqual({ provider: 'pdf-text', pageCount: 1 });
  });

  it('the markdown option → markdown', async () => {
    const { result } = await run(examples.report, { pages: '1', format: 'markdown' });
    const lines = String(result.text).split('\n');
    expect(lines[0]).toBe('# Alder Vale Library: Annual Report');
    expect(lines).toContain('## 1. Summary');
    expect(lines).toContain('- borrowing up to twelve books for four weeks');
    expect(lines.find((line) => line.startsWith('This report describes'))).toMatch(/holds a card\.$/);
  });

  it('an encrypted document with its password → opened', async () => {
    const { result } = await run(documents.encrypted, { password: PASSWORD });
    expect(String(result.text).length).toBeGreaterThan(100);
  });
});
