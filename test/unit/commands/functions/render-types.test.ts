import ts from 'typescript-api';
import { expect, test } from 'vitest';
import { renderTypes } from '../../../../src/commands/functions/render-types.js';
import { catalog } from '../../../../src/functions/catalog.js';

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es5.d.ts'],
  types: [],
};
const host = ts.createCompilerHost(options);
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Returns the compiler's errors on a module, under `strict`. */
function compile(source: string): string[] {
  const getSourceFile: typeof host.getSourceFile = (name, ...rest) => {
    if (name === 'types.ts') return ts.createSourceFile(name, source, ts.ScriptTarget.ES2022);
    if (!libraries.has(name)) libraries.set(name, host.getSourceFile(name, ...rest));
    return libraries.get(name);
  };
  const program = ts.createProgram(['types.ts'], options, { ...host, getSourceFile });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const render = (argsSchema: Record<string, unknown> | undefined, id = 'F') =>
  renderTypes([{ id, description: undefined, argsSchema }]);
const typeOf = (schema: unknown) =>
  /x\?: ([\s\S]*?);\n {2}\[?/.exec(
    render({ type: 'object', properties: { x: schema }, additionalProperties: true }),
  )?.[1];

test('the types of our own functions → they compile and refuse wrong arguments', () => {
  const source = renderTypes(catalog);
  const use = (args: string) => `${source}\nexport const args: FunctionArgs['TEXT_EXTRACTION'] = ${args};\n`;
  expect(compile(use("{ format: 'markdown', pages: '1-3', languages: ['eng'] }"))).toEqual([]);
  expect(compile(use('{}'))).toEqual([]);
  expect(compile(use("{ format: 'xml' }"))).toHaveLength(1);
  expect(compile(use("{ formt: 'text' }"))).toHaveLength(1);
  expect(compile(use("{ languages: 'eng' }"))).toHaveLength(1);
});

const TYPES: [schema: unknown, type: string][] = [
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
  [{ const: true }, 'true'],
  [{ type: 'array', items: { type: 'number' } }, 'Array<number>'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
  [{ type: 'array' }, 'Array<unknown>'],
  [{ items: { type: 'string' } }, 'Array<string>'],
  [{ type: 'array', prefixItems: [{ type: 'number' }, {}], minItems: 1, items: false }, '[number, (unknown)?]'],
  [{ type: 'array', items: [{ type: 'number' }], minItems: 1 }, '[number, ...Array<unknown>]'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string | Array<string>'],
  [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, '"a" | "b"'],
  [{ allOf: [{ type: 'string' }, { anyOf: [{ const: 'a' }, { const: 'b' }] }] }, 'string & ("a" | "b")'],
  [{ $ref: '#/$defs/none' }, 'unknown'],
  [{ $ref: 'https://elsewhere.example/s' }, 'unknown'],
  [{ not: { type: 'string' } }, 'unknown'],
  [{ if: {} }, 'unknown'],
  [{ type: 'strnig' }, 'unknown'],
  [true, 'unknown'],
  [false, 'never'],
  [3, 'unknown'],
  [{ enum: [] }, 'never'],
  [{ type: 'object' }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
];

test.each(TYPES)('%j → %s', (schema, expected) => {
  expect(typeOf(schema)).toBe(expected);
});

test('all of these types → they compile', () => {
  // One module: the compiler takes a tenth of a second for each.
  const properties = Object.fromEntries(TYPES.map(([schema], index) => [`x${index}`, schema]));
  const source = render({ type: 'object', properties });
  for (const name of Object.keys(properties)) expect(source).toContain(` ${name}?: `);
  expect(compile(source)).toEqual([]);
});

test('required, nested, referenced and open properties → a type that compiles', () => {
  const source = render({
    type: 'object',
    required: ['box', 'the "odd" name'],
    properties: {
      box: { $ref: '#/$defs/box' },
      'the "odd" name': { type: 'string' },
      tree: { $ref: '#/$defs/tree' },
    },
    $defs: {
      box: {
        type: 'object',
        properties: { left: { type: 'number', description: 'of the page' } },
        additionalProperties: {},
      },
      tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
    },
  });
  expect(compile(source)).toEqual([]);
  expect(source).toContain(
    '  box: {\n    /** of the page */\n    left?: number;\n    [name: string]: unknown;\n  };\n',
  );
  expect(source).toContain('  "the \\"odd\\" name": string;');
});

test('hostile ids, descriptions, defaults and examples → comments that nothing escapes', () => {
  const source = renderTypes([
    {
      id: 'EVIL */ export const stolen = 1; //',
      description: 'ends */ export const stolen = 1; /*\nsecond line\u2028export const third = 3;',
      argsSchema: { properties: { 'a\n*/': { type: 'string', description: '*/', default: '*/', examples: ['*/'] } } },
    },
    { id: '1', description: undefined, argsSchema: undefined },
    { id: 'a_b', description: undefined, argsSchema: {} },
    { id: 'A_B', description: undefined, argsSchema: {} },
    { id: '', description: undefined, argsSchema: {} },
  ]);
  const use = 'export const a: FunctionArgs["1"] = { anything: 1 };\n';
  expect(compile(source + use)).toEqual([]);
  expect(source.match(/^export const/gm)).toBeNull();
  expect(source).toContain('export type F1Args = Record<string, unknown>;');
  expect(source).toContain('export type ABArgs2 = unknown;');
});
