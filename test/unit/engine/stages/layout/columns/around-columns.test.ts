import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import { documentOf, readPage, setLine, setLines } from '../../../set-words.js';

const COLUMN = [
  'begins here and is read for several lines',
  'that are as wide as the column they fill,',
  'until it has come to its foot, after which',
  'the reader turns up to the head of another',
  'and goes on with what is to be found there',
];
const STEP = 270;

/** The order of columns and of a date above them, which begins at `x` or ends with the last of them. */
function order(count: number, { x, beside = [] }: { x?: number; beside?: string[] } = {}): string[] {
  const [first, ...lines] = COLUMN;
  const names = ['Anchor', 'Beacon', 'Copper'].slice(0, count);
  const columns = names.flatMap((name, index) => setLines([`${name} ${first}`, ...lines], 50 + index * STEP, 110));
  const name = setLine('The Gazette', 50, 70, { size: 26 });
  const [word] = setLine('Spring', 0, 95);
  const end = Math.max(...columns.map(({ x1 }) => x1));
  const date = [
    ...beside.flatMap((text) => setLine(text, 50, 95)),
    ...setLine('Spring', x ?? end - (word?.x1 ?? 0), 95),
  ];
  const text = renderText(documentOf([readPage([...name, ...date, ...columns], 100 + count * STEP, 800)]));
  return text.match(/Volume|Spring|Anchor|Beacon|Copper/g) ?? [];
}

it('a date at the right end of two or three columns, maybe beside a short line → before them', () => {
  expect(order(2)).toEqual(['Spring', 'Anchor', 'Beacon']);
  expect(order(3)).toEqual(['Spring', 'Anchor', 'Beacon', 'Copper']);
  expect(order(2, { beside: ['Volume'] })).toEqual(['Volume', 'Spring', 'Anchor', 'Beacon']);
});

it('a line at the left edge of the second column → of that column', () => {
  expect(order(2, { x: 50 + STEP })).toEqual(['Anchor', 'Spring', 'Beacon']);
});

it('the short last line of a paragraph across two columns → of that paragraph', () => {
  const [first, ...lines] = COLUMN;
  const across = setLines([`Anchor ${COLUMN.slice(1, 3).join(' ')} both`, 'of them, and ends here.'], 50, 60);
  const columns = ['Beacon', 'Copper'].flatMap((name, index) =>
    setLines([`${name} ${first}`, ...lines], 50 + index * STEP, 100),
  );
  const paragraphs = renderMarkdown(documentOf([readPage([...across, ...columns], 640, 800)])).split('\n\n');
  expect(paragraphs.map((text) => text.slice(0, 6))).toEqual(['Anchor', 'Beacon', 'Copper']);
});

it('a short line right above text across two columns → of that text', () => {
  const [first, ...lines] = COLUMN;
  const columns = ['Anchor', 'Beacon'].flatMap((name, index) =>
    setLines([`${name} ${first}`, ...lines], 50 + index * STEP, 60),
  );
  const across = setLines(['Copper 1.', `Dory of all ${COLUMN.slice(1, 3).join(' ')}`, 'and of them.'], 50, 126);
  const text = renderText(documentOf([readPage([...columns, ...across], 640, 800)]));
  expect(text.match(/Anchor|Beacon|Copper|Dory/g)).toEqual(['Anchor', 'Beacon', 'Copper', 'Dory']);
});
