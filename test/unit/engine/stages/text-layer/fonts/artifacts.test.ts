import { expect, it } from 'vitest';
import { readByPdfium, withFile } from '../../../../../support/pdf-readers.js';
import { writeGlyphs } from '../../../../../support/read-glyphs.js';

const marked = (name: string, content: string) => `/${name} <</Type /Pagination>> BDC ${content} EMC`;

it('words that the PDF marks as no content → told apart, whatever mark is around that', async () => {
  const artifact = marked('Artifact', '(A) Tj');
  const inner = marked('Span', `30 0 Td ${marked('Artifact', '(B) Tj')}`);
  const content = `${artifact} ${inner} 30 0 Td ${marked('Artifacts', '(C) Tj')} 30 0 Td (AC) Tj`;
  const [words = []] = await withFile(writeGlyphs(content, { A: 'A', B: 'B', C: 'C' }, [500, 500, 300]), (path) =>
    readByPdfium(path),
  );
  expect(words.map(({ text, artifact }) => [text, artifact === true])).toEqual([
    ['A', true],
    ['B', true],
    ['C', false],
    ['AC', false],
  ]);
});
