import { expect, test } from 'vitest';
import { checkArguments } from '../../../../src/api/catalog/check-arguments.js';
import { textExtraction } from '../../../../src/functions/text-extraction.js';

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  required: ['format'],
  properties: {
    format: { type: 'string', enum: ['text', 'markdown'] },
    pages: { type: 'string', pattern: '^[0-9-]+$', examples: ['1-3'] },
    code: { type: 'string', pattern: '^x' },
    dpi: { type: 'integer', minimum: 50 },
    languages: {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z]$' },
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      examples: [['a', 'b']],
    },
    box: { type: 'object', additionalProperties: false, properties: { left: { type: 'number' } } },
    when: { type: 'string', format: 'date' },
    pin: { type: 'string', writeOnly: true, maxLength: 3, pattern: '^[0-9]+$' },
  },
};

const check = (args: Record<string, unknown>, schema: Record<string, unknown> | undefined = SCHEMA) =>
  checkArguments(args, schema, 'F', () => {});
const ITS_ARGUMENTS = 'Its arguments: ocr functions get F';

test.each<[Record<string, unknown>, string, string]>([
  [{ formt: 'text' }, 'F needs the argument format', ITS_ARGUMENTS],
  [{ format: 'text', formt: 'text' }, 'F has no argument "formt"', 'Did you mean format?'],
  [{ format: 'text', zzzzzz: 1 }, 'F has no argument "zzzzzz"', ITS_ARGUMENTS],
  [{ format: 'markdwon' }, 'format must be one of text, markdown, not "markdwon"', 'Did you mean markdown?'],
  [{ format: 'text', pages: 'all' }, 'pages must look like 1-3, not "all"', ITS_ARGUMENTS],
  [{ format: 'text', code: 'y' }, 'code must match ^x, not "y"', ITS_ARGUMENTS],
  [{ format: 'text', dpi: 1 }, 'dpi must be at least 50, not 1', ITS_ARGUMENTS],
  [{ format: 'text', dpi: 'x' }, 'dpi must be a whole number, not "x"', ITS_ARGUMENTS],
  [{ format: 'text', languages: ['a', 1] }, 'languages.1 must be text, not 1', ITS_ARGUMENTS],
  [{ format: 'text', languages: ['a', 'b', 'c'] }, 'languages must have at most 2, not ["a","b","c"]', ITS_ARGUMENTS],
  [{ format: 'text', languages: [] }, 'languages must have at least 1, as in languages=a,b', ITS_ARGUMENTS],
  [{ format: 'text', languages: ['a', 'a'] }, 'languages has the same twice, not ["a","a"]', ITS_ARGUMENTS],
  [{ format: 'text', languages: ['b+c'] }, 'languages.0 must match ^[a-z]$, not "b+c"', 'Did you mean languages=b,c?'],
  [{ format: 'text', pin: 'abcd' }, 'pin must have at most 3 characters', ITS_ARGUMENTS],
  [{ format: 'text', box: { lft: 1 } }, 'box has no property "lft"', 'Did you mean left?'],
])('%j → USAGE that names the mistake, and a hint', async (args, message, hint) => {
  const error = await check(args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'USAGE', exitCode: 2, hint });
  expect((error as Error).message).toContain(message);
});

test.each<[Record<string, unknown>]>([
  [{ format: 'text' }],
  [
    {
      format: 'markdown',
      pages: '1-3',
      dpi: 300,
      languages: ['e'],
      box: { left: 0.5 },
      pin: '123',
    },
  ],
  [{ format: 'text', when: 'what a validator without formats cannot know' }],
])('%j → accepted', async (args) => {
  await check(args);
});

test('a wrong value of a secret → an error without that value', async () => {
  for (const pin of ['planted', 'planted-and-too-long']) {
    const error = await check({ format: 'text', pin }).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(error) + String(error)).not.toContain('planted');
  }
});

test('a schema that cannot be understood → no check, and a line for --debug', async () => {
  const said: string[] = [];
  for (const schema of [{ type: 'strnig' }, { $ref: 'https://elsewhere.example/schema' }, { properties: 3 }]) {
    await checkArguments({ any: 1 }, schema, 'F', (message) => said.push(message));
  }
  expect(said).toHaveLength(3);
  expect(said[0]).toContain('argsSchema of F cannot be understood');
});

test('no schema, or one without rules → any arguments accepted', async () => {
  await checkArguments({ any: 1 }, undefined, 'F', () => {});
  await check({ any: 1 }, { type: 'object' });
});

test('arguments of TEXT_EXTRACTION → checked by its schema', async () => {
  const { argsSchema: schema } = textExtraction;
  await check({ format: 'markdown', pages: '1-3,-1', languages: ['eng'], ocr: 'never' }, schema);
  await expect(check({ pages: 'x' }, schema)).rejects.toMatchObject({ code: 'USAGE' });
});

const CHOICES = {
  type: 'object',
  properties: { mode: { type: 'string', enum: ['a', 'b'] }, loud: { type: 'boolean' } },
};

test.each<[Record<string, unknown>, Record<string, unknown>, boolean]>([
  [{ mode: 'a', loud: false }, CHOICES, true],
  [{ mode: 'c' }, CHOICES, false],
  [{ mode: 1 }, CHOICES, false],
  [{ loud: 'true' }, CHOICES, false],
  [{ mode: 'a' }, { ...CHOICES, required: ['loud'] }, false],
  [{ mode: 'a' }, { ...CHOICES, not: { required: ['mode'] } }, false],
  [{ mode: 'a' }, { ...CHOICES, properties: { mode: { ...CHOICES.properties.mode, not: { const: 'a' } } } }, false],
  [{ mode: 'a', other: 1 }, { ...CHOICES, additionalProperties: false }, false],
  [{ toString: 'a' }, { ...CHOICES, additionalProperties: false }, false],
])('texts of a list and switches: %j under %j → accepted: %s', async (args, schema, isAccepted) => {
  const found = await check(args, schema).catch((error: unknown) => error);
  if (isAccepted) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ code: 'USAGE' });
});

test.each<[string, string | undefined]>([
  ['2-1', '2-1'],
  ['1-3, 9-8', '9-8'],
  ['-1--2', '-1--2'],
  ['1-3,7,-1', undefined],
  ['5-', undefined],
  ['-3--1', undefined],
  // On a document of one page both are the first.
  ['-1-1', undefined],
])(
  'pages %s → USAGE when a range of our functions runs backwards; no error under another schema',
  async (pages, range) => {
    const backwards = { code: 'USAGE', message: `pages: the range "${range}" runs backwards` };
    const found = await checkArguments({ pages }, textExtraction.argsSchema, 'TEXT_EXTRACTION', () => {}).catch(
      (error: unknown) => error,
    );
    if (range === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(backwards);
    // Another service may mean something else by it.
    await check({ format: 'text', pages: '2-1' });
  },
);

test('a pattern that would take years → the service decides, and --debug says so', async () => {
  const schema = { properties: { code: { type: 'string', pattern: '^(a+)+$' } } };
  const messages: string[] = [];
  await checkArguments({ code: `${'a'.repeat(60)}!` }, schema, 'F', (message) => messages.push(message));
  expect(messages).toEqual([expect.stringMatching(/^the argsSchema of F cannot be understood: .*timed out/)]);
  await expect(checkArguments({ code: 'b' }, schema, 'F', () => {})).rejects.toMatchObject({ code: 'USAGE' });
});
