import { describe, expect, it } from 'vitest';
import { flattenPaper } from '../../../../../../src/engine/stages/picture/correct/flat-paper.js';

/** A picture with grain of so many shades on its paper, pale print and ink. */
const grained = (shades: number) => {
  const paper = Array.from({ length: 900 }, (_, at) => 250 - (Math.floor(at / 7) % shades));
  return { data: Uint8Array.from([...paper, 215, 90, 20]), width: 903, height: 1 };
};

describe('flattening paper', () => {
  it('even paper with grain → white, print as it was, in a new picture', () => {
    const page = grained(14);
    expect([...new Set(flattenPaper(page).data)].sort((a, b) => a - b)).toEqual([20, 90, 215, 255]);
    expect(page.data[0]).toBe(250);
  });

  it('paper of many shades → as it was', () => {
    const page = grained(40);
    expect(flattenPaper(page)).toBe(page);
  });
});
