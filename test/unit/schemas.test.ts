import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli.js';
import type { CommandNode } from '../../src/commands/completion/command-tree.js';
import { checkDocument, checkJson } from '../support/check-json.js';

const error = { error: { code: 'X', message: 'y', requestId: null, retryable: false } };

test('commands that print JSON → a schema for each, and no other schemas', async () => {
  const tree = await createProgram(async () => {}).describe();
  const leaves = (node: CommandNode): CommandNode[] =>
    node.commands.length === 0 ? [node] : node.commands.flatMap(leaves);
  const printsText = ['help', 'local logs', 'mcp'];
  const paths = leaves(tree)
    .map(({ path }) => path.slice('ocr '.length))
    .filter((path) => !printsText.includes(path));
  for (const path of paths) expect(() => checkDocument(path, error), path).not.toThrow();
  const shared = ['document', 'error', 'local-status', 'serve-print-config'];
  const known = new Set([...paths.map((path) => path.replaceAll(' ', '-')), ...shared]);
  const names = readdirSync(new URL('../../docs/schemas', import.meta.url)).map((name) => name.split('.')[0] ?? '');
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test.each<[string, unknown]>([
  ['extract', {}],
  ['extract', { input: 'a' }],
  ['extract', { jobId: 'j', status: 'queued' }],
  ['extract', { error: { code: 'X' } }],
  ['jobs list', {}],
  ['jobs list', [{ jobId: 'j' }]],
  ['jobs forget', [{ jobId: 'j', forgotten: false }]],
  ['requests forget', [{ requestId: 'r', forgotten: true }]],
  ['functions list', [1]],
  ['functions types', { source: '' }],
  ['requests get', { requestId: 'r' }],
  ['config get', { name: 'x', value: 1, origin: 'flag', source: '' }],
  ['local status', { running: 'yes' }],
  ['verify-webhook', { valid: true }],
])('%s that prints %j → refused by its schema', (path, document) => {
  expect(() => checkDocument(path, document)).toThrow('does not allow');
});

test('added fields → allowed', () => {
  expect(() => checkDocument('local stop', { stopped: true, added: { later: 1 } })).not.toThrow();
  expect(() => checkDocument('jobs list', { error: { ...error.error, added: 1 }, more: 2 })).not.toThrow();
});

test('checkJson → holds each line against the schema of its command', async () => {
  await checkJson(['jobs', '--json'], '[]\n');
  await checkJson(['jobs'], 'job_1\tqueued\n');
  await checkJson(['extract', '--json', 'a', 'b'], `${JSON.stringify({ input: 'a', ...error })}\n`);
  await expect(checkJson(['jobs', '--json'], '{}\n')).rejects.toThrow('jobs-list.schema.json');
  await expect(checkJson(['jobs', '--json'], 'oops\n')).rejects.toThrow(SyntaxError);
  await expect(checkJson(['--json', 'jbos'], '[]\n')).rejects.toThrow('error.schema.json');
});
