import { describe, expect, it } from 'vitest';
import { lightenGrounds } from '../../../../../../src/engine/stages/picture/correct/dark-grounds.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';

const [WIDTH, HEIGHT] = [1700, 2200];
type Paint = (x0: number, y0: number, x1: number, y1: number, shade: number) => void;

function draw(paper: number, paint: (box: Paint) => void): Raster {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(paper);
  paint((x0, y0, x1, y1, shade) => {
    for (let y = y0; y < y1; y++) data.fill(shade, y * WIDTH + x0, y * WIDTH + x1);
  });
  return { data, width: WIDTH, height: HEIGHT };
}

/** Boxes of the strokes of words, in lines. */
const write = (box: Paint, left: number, top: number, lines: number, shade: number) => {
  for (let line = 0; line < lines; line++)
    for (let word = 0; word < 5; word++)
      for (let stroke = 0; stroke < 6; stroke++) {
        const [x, y] = [left + word * 100 + stroke * 8, top + line * 60];
        box(x, y, x + 4, y + 25, shade);
      }
};

const shadeAt = ({ data }: Raster, x: number, y: number) => data[y * WIDTH + x] ?? -1;

describe('dark and coloured grounds on a light page', () => {
  it('light letters on them → dark letters on paper', () => {
    const page = draw(250, (box) => {
      for (let y = 0; y < 900; y++) box(0, y, WIDTH - Math.round(y / 3), y + 1, 40 + Math.round(y / 10));
      write(box, 200, 200, 6, 240);
      write(box, 200, 1200, 6, 20);
    });
    const light = lightenGrounds(page);
    if (light === undefined) throw new Error('no ground was found');
    expect(shadeAt(light, 100, 100)).toBeGreaterThan(240);
    expect(shadeAt(light, 1000, 880)).toBeGreaterThan(240);
    expect(shadeAt(light, 202, 210)).toBeLessThan(60);
    expect(shadeAt(light, 202, 510)).toBeLessThan(60);
    expect(shadeAt(light, 202, 1210)).toBe(20);
    for (let y = 0; y < 950; y += 7)
      for (let x = 1300; x < WIDTH; x++) expect(shadeAt(light, x, y), `${x}, ${y}`).toBeGreaterThan(240);
    expect(shadeAt(page, 100, 100)).toBe(50);
  });

  it('words that touch their edge → kept', () => {
    const light = lightenGrounds(
      draw(250, (box) => {
        box(0, 0, WIDTH, 500, 60);
        write(box, 200, 175, 6, 240);
        box(0, 500, WIDTH, 520, 250);
      }),
    );
    expect(light && shadeAt(light, 202, 490)).toBeLessThan(60);
  });

  it('a bar of one line, which its words may fill → left to fields.ts', () => {
    const bar = draw(250, (box) => {
      box(100, 300, 1600, 335, 60);
      write(box, 110, 305, 1, 240);
      write(box, 900, 305, 1, 240);
    });
    expect(lightenGrounds(bar)).toBeUndefined();
  });

  it('two that touch and hardly differ, with lines at different heights → separated', () => {
    const light = lightenGrounds(
      draw(250, (box) => {
        box(100, 300, 850, 665, 60);
        box(850, 300, 1600, 665, 70);
        write(box, 200, 305, 6, 240);
        write(box, 950, 335, 6, 240);
      }),
    );
    expect(light && shadeAt(light, 202, 310)).toBeLessThan(60);
    expect(light && shadeAt(light, 952, 340)).toBeLessThan(60);
    expect(light && shadeAt(light, 1500, 400)).toBeGreaterThan(240);
  });

  it('a blurred edge → leaves no line', () => {
    const light = lightenGrounds(
      draw(250, (box) => {
        box(100, 300, 1605, 900, 86);
        box(100, 300, 1604, 900, 60);
        write(box, 200, 400, 6, 240);
      }),
    );
    expect(light && shadeAt(light, 1604, 500)).toBeGreaterThan(240);
  });

  it('a white sheet on one → unchanged', () => {
    const light = lightenGrounds(
      draw(60, (box) => {
        write(box, 200, 100, 3, 240);
        box(300, 500, 1400, 1700, 250);
        write(box, 500, 800, 6, 20);
      }),
    );
    expect(light && shadeAt(light, 202, 110)).toBeLessThan(60);
    expect(light && shadeAt(light, 350, 550)).toBe(250);
    expect(light && shadeAt(light, 502, 810)).toBe(20);
  });

  it('large letters, which may touch, and plates → kept', () => {
    const light = lightenGrounds(
      draw(60, (box) => {
        write(box, 200, 100, 3, 240);
        box(300, 500, 340, 700, 240);
        box(300, 500, 700, 540, 240);
        box(300, 900, 900, 1000, 240);
      }),
    );
    expect(light && shadeAt(light, 320, 600)).toBeLessThan(60);
    expect(light && shadeAt(light, 600, 950)).toBeLessThan(60);
  });

  it('darker print, as on pages in shadow and on tints → no ground', () => {
    expect(lightenGrounds(draw(150, (box) => write(box, 200, 200, 20, 40)))).toBeUndefined();
    const mixed = draw(150, (box) => {
      write(box, 200, 200, 6, 40);
      write(box, 200, 800, 6, 250);
    });
    expect(lightenGrounds(mixed)).toBeUndefined();
  });

  it('letters with light counters, and photographs with light spots → no ground', () => {
    const letter = draw(250, (box) => {
      box(300, 300, 700, 900, 10);
      box(400, 400, 600, 550, 250);
      box(400, 650, 600, 800, 250);
    });
    const spots = draw(250, (box) => {
      box(200, 100, 900, 2000, 70);
      for (let y = 120; y < 1980; y += 10) box(230 + ((y * 7) % 600), y, 242 + ((y * 7) % 600), y + 8, 250);
    });
    const bright = draw(250, (box) => {
      box(200, 100, 900, 2000, 70);
      for (let y = 150; y < 1900; y += 200) for (let x = 220; x < 860; x += 60) box(x, y, x + 50, y + 120, 250);
    });
    const faint = draw(250, (box) => {
      box(200, 100, 900, 2000, 70);
      for (let y = 300; y < 1300; y += 50) {
        box(300, y, 380, y + 25, 112);
        box(300, y + 12, 380, y + 14, 250);
      }
    });
    const streaked = draw(250, (box) => {
      box(200, 100, 900, 2000, 70);
      for (let x = 250; x < 850; x += 60) box(x, 300, x + 12, 400, 250);
    });
    for (const page of [letter, spots, bright, faint, streaked]) expect(lightenGrounds(page)).toBeUndefined();
  });
});
