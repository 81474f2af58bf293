import { describe, expect, it } from 'vitest';
import { DocumentError } from '../../../src/engine/model/document-error.js';
import { selectPages } from '../../../src/engine/select-pages.js';

describe('selectPages', () => {
  it.each([
    [undefined, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['3', [3]],
    ['1-3,7,-1', [1, 2, 3, 7, 10]],
    [' 2 , 1 ', [1, 2]],
    ['8-', [8, 9, 10]],
    ['-3--1', [8, 9, 10]],
    ['-10', [1]],
    ['2-4,3-5,3', [2, 3, 4, 5]],
  ])('%j of 10 pages → %j', (expression, expected) => {
    expect(selectPages(expression, 10)).toEqual(expected);
  });

  it.each(['0', '11', '-11', '4-11', '3-1', 'x', '1;2', '', '1,', '1-2-3', '1.5', '99999999999'])(
    '%j of 10 pages → refused',
    (expression) => {
      try {
        selectPages(expression, 10);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError);
        expect(error).toMatchObject({ reason: 'invalid-argument', pointer: '/pages' });
      }
    },
  );

  it('a wrong expression → what is wrong, in words', () => {
    expect(() => selectPages('12', 10)).toThrow('page 12 is not in the document, which has 10 pages');
    expect(() => selectPages('2', 1)).toThrow('which has 1 page');
  });
});
