import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPages, setLine, setLines } from '../../../set-words.js';

const BODY = [
  'The lamp is lit at dusk and put out at dawn, and whoever keeps it',
  'writes down in the book what the night was like and who passed by.',
];
const PROGRAM = ['if (isDusk(now)) {', '  lamp.light();', '', '  book.write("lit");', '}'];

/** Words in a grid of letters, each half an em wide. */
const setCode = (lines: readonly string[], x: number, y: number, size = 10): RawWord[] =>
  lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].flatMap(({ 0: word, index }) =>
      setLine(word, x + index * size * 0.5, y + row * size * 1.2, { size, monospaced: true }),
    ),
  );
const markdownOf = (...pages: RawWord[][]) => renderMarkdown(documentOf(readPages(pages)));

describe('code', () => {
  it('code → a fenced block, and in text, with its lines, indents and empty lines', () => {
    const words = [...setLines(BODY, 60, 100), ...setCode(PROGRAM, 80, 140), ...setLines(BODY, 60, 220)];
    const fenced = ['```', ...PROGRAM, '```'].join('\n');
    expect(markdownOf(words)).toBe([BODY.join(' '), fenced, BODY.join(' ')].join('\n\n'));
    // A program in Python that has lost its indents is another one.
    const bodyRows = BODY.join('\n');
    expect(renderText(documentOf(readPages([words])))).toBe([bodyRows, PROGRAM.join('\n'), bodyRows].join('\n\n'));
    const { blocks } = readPages([words])[0] ?? { blocks: [] };
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph', 'paragraph']);
  });

  it('code over the end of a page → one block, no items and no joined words', () => {
    const first = ['steps:', '  - light', '  - watch-'];
    const second = ['  - write', '  - put_out'];
    const markdown = markdownOf(
      [...setLines(BODY, 60, 100), ...setCode(first, 80, 700)],
      [...setCode(second, 80, 100), ...setLines(BODY, 60, 200)],
    );
    expect(markdown).toContain(['```', ...first, ...second, '```'].join('\n'));
  });

  it('any amount of code below headings → headings, no code', () => {
    const many = Array.from({ length: 20 }, (_, index) => `light(${index}); // and so on until it is dawn`);
    const words = [...setLines([...BODY, ...BODY], 60, 60, 14, { size: 12 }), ...setCode(many, 80, 140)];
    expect(markdownOf([...setLine('Lamps', 60, 40, { size: 20 }), ...words])).toMatch(/^# Lamps\n\nThe lamp/);
  });

  it('code on most of a page → its columns and line numbers kept', () => {
    const program = ['mov(lamp),     dusk', 'add(oil),      lamp', 'mov(book),     lit'];
    const numbers = program.flatMap((_, index) => setLine(`${index + 7}`, 60, 140 + index * 12));
    const fenced = (lines: string[]) => ['```', ...lines, '```'].join('\n');
    const text = setLines([...BODY, ...BODY, ...BODY, ...BODY], 60, 60);
    expect(markdownOf(text, setCode(program, 80, 140))).toContain(fenced(program));
    expect(markdownOf(text, [...setCode(program, 80, 140), ...numbers])).toContain(
      fenced(program.map((line, index) => `${index + 7}   ${line}`)),
    );
  });

  it('a line of code as short as its number, which is set smaller → within the code', () => {
    const program = ['let lamp = dusk', 'in', 'light(lamp);'];
    const numbers = program.flatMap((_, index) => setLine(`${index + 64}`, 60, 140 + index * 12, { size: 5 }));
    const words = [...setLines([...BODY, ...BODY], 60, 60), ...setCode(program, 80, 140), ...numbers];
    expect(markdownOf(words).match(/```/g)).toHaveLength(2);
  });

  it('a list in monospaced type that spaces put into columns → its lines and columns kept; two lines → text', () => {
    const list = ['Name      Boat    Fee', 'Holm      Esk      12', 'Rossi     Belle   110'];
    const fenced = ['```', ...list, '```'].join('\n');
    const page = (lines: string[]) => [
      ...setLines(BODY, 60, 100),
      ...setCode(lines, 80, 150),
      ...setLines(BODY, 60, 220),
    ];
    expect(markdownOf(page(list))).toContain(fenced);
    expect(markdownOf(page(list.slice(0, 2)))).not.toContain('```');
  });

  it('a fence inside the code → a longer fence around it', () => {
    const words = [...setLines(BODY, 60, 100), ...setCode(['```js', 'light();', '```'], 80, 140)];
    expect(markdownOf(words)).toContain('````\n```js\nlight();\n```\n````');
  });

  it('a long name in a paragraph, text typed into a form, a typewritten letter → no code', () => {
    const name = [
      ...setLine(BODY[0] ?? '', 60, 100),
      ...setCode(['whoever_keeps_the_lamp_writes(down);'], 60, 112),
      ...setLine(BODY[1] ?? '', 60, 124),
    ];
    const form = [...setLines(BODY, 60, 100), ...setCode(['Jane Keeper', '12 Lamp Street'], 80, 140)];
    const letter = setCode(['Dear keeper (of the lamp),', 'it is dark; do light it.'], 60, 100);
    for (const words of [name, form, letter]) expect(markdownOf(words)).not.toContain('```');
  });

  it('a listing, in type of one width from the first line to the last → a fenced block', () => {
    const listing = Array.from({ length: 4 }, () => [...PROGRAM, 'close(book)']).flat();
    const fenced = ['```', ...listing, '```'].join('\n');
    expect(markdownOf(setCode(listing, 60, 60))).toBe(fenced);
    const letter = [
      'Dear keeper (of the lamp)',
      'of the house by the sea;',
      'it is dark. Do light it,',
      'and write so.',
    ];
    expect(markdownOf(setCode(letter, 60, 60))).toBe(letter.join(' '));
  });

  it('output below a program, its lines ending early → a code block', () => {
    const output = ['Oil is 3', 'Wicks are 2'];
    const words = [...setCode(PROGRAM, 80, 100), ...setLines(BODY, 60, 180), ...setCode(output, 80, 220)];
    expect(markdownOf(words)).toContain(['```', ...output, '```'].join('\n'));
  });

  it('a wrapped list of names with bullets → no code', () => {
    const item = (y: number) => [
      ...setLine('•', 60, y),
      ...setCode(['oil-3.1, oil-3,', 'oil-latest, oil_whale'], 72, y),
    ];
    const text = 'oil-3.1, oil-3, oil-latest, oil_whale';
    expect(markdownOf([...item(100), ...item(124)])).toBe(`- ${text}\n- ${text}`);
  });

  it('brackets and signs apart by padding alone → no space before them', () => {
    const at = (words: RawWord[]) => words.at(-1)?.x1 ?? 0;
    const open = setLine('Light it (', 60, 100);
    const code = setLine('lamp.light()', at(open) + 4, 100, { monospaced: true });
    const rest = setLine('), or not.', at(code) + 4, 100);
    expect(markdownOf([...open, ...code, ...rest])).toBe('Light it (lamp.light()), or not.');
  });
});
