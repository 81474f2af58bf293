import { expect, it } from 'vitest';
import {
  findUnreadPictures,
  resolutionOf,
  type UnreadPicture,
} from '../../../../../src/engine/stages/text-layer/unread-pictures.js';

const PAGE = { width: 600, height: 800 };
const picture = (x0: number, y0: number, x1: number, y1: number, pixels = 1e6): UnreadPicture => ({
  ...{ x0, y0, x1, y1, pixels },
});
const word = (x: number, y: number) => ({ x0: x, y0: y, x1: x + 40, y1: y + 10 });
const find = (images: UnreadPicture[], words = [word(100, 50)]) =>
  findUnreadPictures({ ...PAGE, layer: { words }, drawing: { images } });

it('a large picture that no word stands on → found, as far as it lies on the page', () => {
  expect(find([picture(60, 200, 540, 400)])).toEqual([picture(60, 200, 540, 400)]);
  expect(find([picture(-60, 700, 540, 900)])).toEqual([picture(0, 700, 540, 800)]);
});

it('a word on the picture, as in a searchable scan → not found', () => {
  expect(find([picture(60, 200, 540, 400)], [word(300, 300)])).toEqual([]);
});

it('a picture of a small part of the page, of few pixels, of very many, or a shading → not found', () => {
  expect(find([picture(60, 200, 160, 300)])).toEqual([]);
  expect(find([picture(60, 200, 540, 400, 20_000)])).toEqual([]);
  expect(find([picture(60, 200, 540, 400, 50e6)])).toEqual([]);
  expect(find([picture(60, 200, 540, 400, 0)])).toEqual([]);
});

it('strips and tiles that touch → one picture with all their pixels', () => {
  const strips = [0, 2, 1].map((row) => picture(60, 200 + row * 40, 540, 240 + row * 40, 1e5));
  expect(find(strips)).toEqual([picture(60, 200, 540, 320, 3e5)]);
  expect(find([picture(60, 200, 300, 400), picture(320, 200, 540, 400)])).toHaveLength(2);
});

it('a page of very many images → a drawing, whose pieces are no pictures', () => {
  const pieces = Array.from({ length: 201 }, (_, index) => picture(60, 200 + index, 540, 201 + index, 1e4));
  expect(find(pieces)).toEqual([]);
});

it('more pictures than a page may have read → the largest', () => {
  const rows = [0, 1, 2, 3, 4].map((row) => picture(60, 120 + row * 120, 300 + row * 20, 220 + row * 120));
  expect(find(rows)).toEqual(rows.slice(1).reverse());
});

it('the resolution of a picture → pixels for each point of its side', () => {
  expect(resolutionOf(picture(0, 0, 100, 100, 40_000))).toBe(2);
});
