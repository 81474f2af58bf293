import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Box, Line, TableCell, Word } from '../../../../../src/engine/model/document.js';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import { outline, tablesOf } from '../../gfm.js';
import { documentOf } from '../../set-words.js';

/** Text that could be read as markup, within a line or at its beginning. */
const HOSTILE = [
  '# ## ####### - + * ** *** _ __ ~ ~~ ~~~ ` `` ``` | > < ! \\ \\\\ 1. 1) 12. (a) = === -- --- --* ___ |---| :-: [ ] [] () ![ ](',
  '[x](y) ![x](y) [x]: [x] [X] [^1]: [^1] ](z) <b> </b> <!-- --> <?x <![CDATA[ <a@b.c> <https://a.b> {#id} ::: :smile: @who #12',
  '*x* _x_ __x__ **x** ~x~ ~~x~~ snake_case a*b*c _a a_ *a a* a\\ \\a `a` a` 2*3 x|y $x$ &amp; &lt; &#35; &#x41; &copy &amp;amp; AT&T',
  'www.example.com https://example.com/a_b_c http://a.b/x*y*z https://a.b/c(d) https://a.b/~x|y https://a.b/[1] https://a.b/?a&amp;b',
  'www.a.b/c_d_ www.a.b/~c ftp://a.b mailto:a@b.c me@example.com a_b@c_d.org xmpp:a@b.c https:// www.',
  'word Word. word, été 漢字 (see it) “x” . , ... — 1 2024 x [2] Setext',
].flatMap((words) => words.split(' '));

const signs = fc.constantFrom(...'#-+*_~`|><!\\[]()=:&;^.1ax/');
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: signs, minLength: 1, maxLength: 5 }) },
);

const box: Box = [0.1, 0.1, 0.9, 0.2];
const styles: Partial<Word>[] = [{}, { bold: true }, { italic: true }, { bold: true, italic: true }];
const links: Partial<Word>[] = [{}, {}, { link: 'https://a.b/(c)_d' }, { link: 'https://a.b/~x|y' }];
const plainWord: fc.Arbitrary<Word> = text.map((of) => ({ text: of, box, confidence: null }));
const styledWord = fc
  .tuple(plainWord, fc.boolean(), fc.constantFrom(...styles), fc.constantFrom(...links))
  .map(([word, glued, style, link]): Word => ({ ...word, ...(glued ? { glued } : {}), ...style, ...link }));

const lineOf = (words: Word[]): Line => ({ words, box, fontSize: 10, direction: 'ltr' });
const line = fc
  .oneof(fc.array(plainWord, { minLength: 1, maxLength: 6 }), fc.array(styledWord, { minLength: 1, maxLength: 6 }))
  .map(lineOf);

const textOf = ({ words }: Line): string =>
  words.map((word, index) => (index > 0 && !word.glued ? ' ' : '') + word.text).join('');

const render = (blocks: Block[]): string => {
  const size = { number: 1, width: 600, height: 800, rotation: 0 };
  return renderMarkdown(
    documentOf([{ ...size, source: 'text-layer', textLayer: { verdict: 'trusted', reasons: [] }, blocks }]),
  );
};

/** An item with a marker before its words, which stand apart from it. */
const item = (marker: string, { words: [first, ...rest] }: Line): Block => {
  const words = first === undefined ? [] : [{ ...first, glued: false }, ...rest];
  const lines = [lineOf([{ text: marker, box, confidence: null }, ...words])];
  return { kind: 'list-item', marker, depth: 0, box, lines };
};

describe('text written as Markdown', () => {
  const kinds = [
    (of: Line) => ({ block: { kind: 'paragraph', box, lines: [of] } as Block, read: `p ${textOf(of)}` }),
    (of: Line) => ({ block: { kind: 'heading', level: 2, box, lines: [of] } as Block, read: `h2 ${textOf(of)}` }),
    (of: Line) => ({ block: item('•', of), read: `- ${textOf(of)}` }),
  ];

  it('a character reference across two words of different type → its characters', () => {
    const word = (of: string, more: Partial<Word> = {}): Word => ({ text: of, box, confidence: null, ...more });
    const split = [
      ['&copy', ';#'],
      ['&', 'amp; x'],
      ['&#', '35;'],
      ['&#x4', '1;'],
    ] as const;
    for (const [first, second] of split) {
      const of = lineOf([word('('), word(first, { glued: true, bold: true }), word(second, { glued: true })]);
      expect(outline(render([{ kind: 'paragraph', box, lines: [of] }]))).toEqual([`p (${first}${second}`]);
    }
  });

  it('text that looks like markup → the same text when the Markdown is parsed', () => {
    const blocks = fc.array(
      fc.tuple(fc.constantFrom(...kinds), line).map(([kind, of]) => kind(of)),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(blocks, (parts) => {
        expect(outline(render(parts.map(({ block }) => block)))).toEqual(parts.map(({ read }) => read));
      }),
      { numRuns: 300 },
    );
  });

  it('text in the cells of a table → the same text when the Markdown is parsed', () => {
    fc.assert(
      fc.property(fc.tuple(line, line, line, line), (lines) => {
        const cells = lines.map(
          (of, index): TableCell => ({
            row: index >> 1,
            column: index & 1,
            rowSpan: 1,
            columnSpan: 1,
            box,
            lines: [of],
          }),
        );
        const table: Block = { kind: 'table', box, lines, table: { rows: 2, columns: 2, cells } };
        const [a = '', b = '', c = '', d = ''] = lines.map(textOf);
        expect(tablesOf(render([table]))).toEqual([
          [
            [a, b],
            [c, d],
          ],
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it('text in a note → the same text when the Markdown is parsed', () => {
    fc.assert(
      fc.property(line, (of) => {
        const mark: Word = { text: '1', box, confidence: null, raised: true };
        const word: Word = { text: 'word', box, confidence: null };
        const note: Block = { ...item('1', of), kind: 'footnote' };
        const markdown = render([{ kind: 'paragraph', box, lines: [lineOf([word, mark])] }, note]);
        expect(outline(markdown)).toEqual(['p word', `note 1 ${textOf(of)}`]);
      }),
      { numRuns: 300 },
    );
  });

  it('nested lists, whatever their items begin with → the same lists when the Markdown is parsed', () => {
    const numbers = [undefined, undefined, 0, 1, 2, 3, 9, 10, 99, 100];
    const items = fc.array(fc.record({ depth: fc.nat(3), number: fc.constantFrom(...numbers) }), {
      minLength: 1,
      maxLength: 7,
    });
    fc.assert(
      fc.property(items, (of) => {
        const word: Word = { text: 'word', box, confidence: null };
        const markers = of.map(({ number }) => (number === undefined ? '-' : `${number}.`));
        const blocks = of.map(({ depth }, index) => ({
          ...item(markers[index]?.replace('-', '•') ?? '', lineOf([word])),
          depth,
        }));
        // An item stands within the ones before it that the page shows less deep.
        let open: number[] = [];
        const read = of.map(({ depth }, index) => {
          open = [...open.filter((outer) => outer < depth), depth];
          return `${'  '.repeat(open.length - 1)}${markers[index]} word`;
        });
        expect(outline(render(blocks))).toEqual(read);
      }),
      { numRuns: 300 },
    );
  });
});
