import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens, findPartEnd } from '../../../../src/commands/mcp/split-text.js';

function split(text: string, maxTokens: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = findPartEnd(text, start, maxTokens);
    expect(end).toBeGreaterThan(start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

test('any text → parts within the bound that join to it, and no character is cut in two', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.lorem({ maxCount: 300 }),
    fc
      .array(fc.constantFrom('word', ' ', '\n', '\n\n', '12', '|---|', '日本', '😀', 'x'.repeat(90)), {
        maxLength: 300,
      })
      .map((words) => words.join('')),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 3, max: 60 }), (whole, maxTokens) => {
      const parts = split(whole, maxTokens);
      expect(parts.join('')).toBe(whole);
      for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(maxTokens);
      parts.slice(1).forEach((part, i) => {
        expect(`${parts[i]?.at(-1)}${part[0]}`).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
      });
    }),
  );
});

test('a text with paragraphs, lines or words → cut before one of them', () => {
  const text = (separator: string) => Array.from({ length: 40 }, () => 'some words here').join(separator);
  expect(split(text('\n\n'), 50)[0]).toMatch(/here\n\n$/);
  expect(split(text('\n'), 50)[0]).toMatch(/here\n$/);
  expect(split(text(' '), 50)[0]).toMatch(/\w $/);
  expect(split('short', 50)).toEqual(['short']);
});

test('an estimate → at least one token for four letters, one for each digit, sign and other character', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('internationalisation')).toBeGreaterThanOrEqual(5);
  expect(estimateTokens('2026-11-24')).toBe(10);
  expect(estimateTokens('日本語')).toBe(3);
  expect(estimateTokens('😀')).toBe(3);
});
