import { expect, test } from 'vitest';
import { refuseUnknownArguments, TOOLS } from '../../../../src/commands/mcp/tools.js';

test('an argument that a tool does not have → refused by name, with the nearest', () => {
  const refuse = (name: string, args: Record<string, unknown>) => () => refuseUnknownArguments(name, args);
  expect(refuse('read_document', { path: 'a.pdf', pages: '1', cursor: 'x', format: 'text' })).not.toThrow();
  expect(refuse('read_document', { path: 'a.pdf', page: 1 })).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: 'read_document has no argument page',
      hint: 'Did you mean pages?',
    }),
  );
  expect(refuse('inspect_document', { path: 'a.pdf', bogus: 1 })).toThrow(
    expect.objectContaining({ hint: 'It takes path, cursor.' }),
  );
  expect(refuse('list_functions', { bogus: 1 })).toThrow(expect.objectContaining({ hint: 'It takes none.' }));
});

test('every tool → says that it takes no other arguments', () => {
  for (const { inputSchema } of TOOLS) expect(inputSchema.additionalProperties).toBe(false);
});
