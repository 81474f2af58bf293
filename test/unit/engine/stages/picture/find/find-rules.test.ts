import { describe, expect, it } from 'vitest';
import { eraseRules } from '../../../../../../src/engine/stages/picture/correct/erase-rules.js';
import {
  type DrawnRule,
  findRules,
  toRule,
  traceRules,
} from '../../../../../../src/engine/stages/picture/find/find-rules.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';

const [WIDTH, HEIGHT] = [1700, 2200];

/** Grey paper with noise. */
const PAPER = new Uint8Array(WIDTH * HEIGHT);
let seed = 1;
for (let i = 0; i < PAPER.length; i++) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  PAPER[i] = 225 + (seed % 20);
}

function draw(paint: (set: (x: number, y: number, shade?: number) => void) => void): Raster {
  // A Buffer, like that of decoders: its slice() is no copy.
  const data = Buffer.from(PAPER);
  paint((x, y, shade = 40) => {
    data[Math.round(y) * WIDTH + Math.round(x)] = shade;
  });
  return { data, width: WIDTH, height: HEIGHT };
}

/** Draws a line of two pixels, `lean` pixels lower or further right at its end. */
const line = (set: (x: number, y: number) => void, from: [number, number], to: [number, number]) => {
  const length = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  for (let i = 0; i <= length; i++) {
    const x = from[0] + ((to[0] - from[0]) * i) / length;
    const y = from[1] + ((to[1] - from[1]) * i) / length;
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      set(x + dx, y + dy);
  }
};

/** Expects rules whose ends are within the pixels over which the grain was averaged. */
function expectRules(found: readonly DrawnRule[], expected: readonly DrawnRule[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [index, { x0, x1, y0, y1 }] of expected.entries()) {
    const rule = found[index];
    const distances = [x0 - (rule?.x0 ?? 0), x1 - (rule?.x1 ?? 0), y0 - (rule?.y0 ?? 0), y1 - (rule?.y1 ?? 0)];
    expect(Math.max(...distances.map(Math.abs)), JSON.stringify(rule)).toBeLessThan(8);
  }
}

describe('rules in a picture', () => {
  it('drawn rules → their places', () => {
    const rules = findRules(
      draw((set) => {
        line(set, [100, 300], [1500, 300]);
        line(set, [100, 300], [100, 700]);
      }),
    );
    expect(rules).toHaveLength(2);
    expect(rules[0]).toEqual({ x0: 100, x1: 1502, y0: 301, y1: 301 });
    expect(rules[1]).toEqual({ x0: 101, x1: 101, y0: 300, y1: 702 });
  });

  it('a rule with the skew of a scan and a missing pixel → found', () => {
    const rules = findRules(
      draw((set) => {
        line((x, y) => (Math.round(x) % 90 === 0 ? undefined : set(x, y)), [100, 300], [1500, 316]);
        line(set, [800, 400], [792, 900]);
      }),
    );
    expect(rules).toHaveLength(2);
    expect(rules[0]).toMatchObject({ x0: 100, x1: 1502 });
    expect(rules[0]?.y0).toBeCloseTo(309, 0);
    expect(rules[1]).toMatchObject({ y0: 400, y1: 902 });
    expect(rules[1]?.x0).toBeCloseTo(797, 0);
  });

  it('dark areas, short strokes, rows of dots → no rules', () => {
    const rules = findRules(
      draw((set) => {
        for (let y = 300; y < 340; y++) for (let x = 100; x < 1500; x++) set(x, y);
        line(set, [100, 600], [150, 600]);
        line(set, [300, 600], [300, 612]);
        for (let x = 100; x < 1500; x += 8) line(set, [x, 900], [x + 3, 900]);
      }),
    );
    expect(rules).toEqual([]);
  });

  it('the streaks of a pale ground, on paper of one shade → no rules; a pale rule below it → found', () => {
    const raster = draw((set) => {
      for (let x = 300; x < 1300; x++) for (let y = 400; y < 440; y++) set(x, y, 234 + ((x * x * 7) % 8));
      line((x, y) => set(x, y, 215), [300, 500], [1300, 500]);
    });
    const isStreak = (at: number) => at >= WIDTH * 400 && at < WIDTH * 440 && at % WIDTH >= 300 && at % WIDTH < 1300;
    const data = raster.data.map((shade, at) => (isStreak(at) || shade < 225 ? shade : 250));
    expectRules(findRules({ ...raster, data }), [{ x0: 300, x1: 1302, y0: 501, y1: 501 }]);
  });

  it('frames in a row with paper between them, some shorter than a rule → level rules of the whole row; bars in a row → none', () => {
    const raster = draw((set) => {
      for (const y of [300, 340])
        for (const [from, to] of [
          [100, 200],
          [208, 250],
          [258, 300],
          [308, 500],
        ] as const) {
          for (const level of [y, y + 32]) line(set, [from, level], [to, level]);
          for (const upright of [from, to]) line(set, [upright, y], [upright, y + 32]);
        }
      // Bars of large letters have a stem at one end or in their middle.
      for (let x = 100; x < 500; x += 48) {
        for (const y of [600, 640]) line(set, [x, y], [x + 40, y]);
        line(set, [x, 600], [x, 640]);
      }
    });
    const rules = findRules(raster);
    expect(rules.filter(({ y0, y1 }) => y0 === y1)).toEqual(
      [300, 332, 340, 372].map((y) => ({ x0: 100, x1: 502, y0: y + 1, y1: y + 1 })),
    );
    const bare = eraseRules(raster, traceRules(raster));
    const shadesOf = (from: number, to: number) => bare.data.subarray(from * WIDTH, to * WIDTH);
    expect(shadesOf(280, 400).every((shade) => shade > 100)).toBe(true);
    expect(Buffer.from(shadesOf(590, 660)).equals(raster.data.subarray(590 * WIDTH, 660 * WIDTH))).toBe(true);
  });

  it('pale uprights in the grain of a scan that begin in the pale ground of a head → found each; stems of letters in a row → none', () => {
    const xs = [100, 500, 900, 1500];
    const raster = draw((set) => {
      for (let y = 300; y < 340; y++) for (let x = 100; x < 1500; x++) set(x, y, 205 + ((x * 7 + y * 13) % 8));
      for (const x of xs) line((px, py) => set(px, py, 200), [x, 300], [x, 700]);
      for (let x = 540; x < 860; x += 40) line((px, py) => set(px, py, 200), [x, 400], [x, 445]);
    });
    expectRules(
      findRules(raster).filter(({ x0, x1 }) => x0 === x1),
      xs.map((x) => ({ x0: x + 1, x1: x + 1, y0: 340, y1: 702 })),
    );
  });

  it('pale rules, in the grain of a scan and on paper of one shade → found; blurred edges of letters → none', () => {
    const page = (isEven: boolean) => {
      const raster = draw((set) => {
        const pale = (x: number, y: number) => set(x, y, 200);
        line(pale, [100, 300], [1500, 300]);
        line(pale, [100, 300], [100, 700]);
        // Blur above and below a row of ink, like that of letters set close.
        for (let x = 300; x < 900; x++)
          for (const [y, shade] of [
            [898, 210],
            [899, 150],
            [900, x % 60 < 50 ? 20 : 255],
            [901, 150],
            [902, 210],
          ] as const)
            set(x, y, shade);
      });
      const isPaper = (shade: number) => shade >= 225 && shade < 245;
      return { ...raster, data: raster.data.map((shade) => (isEven && isPaper(shade) ? 255 : shade)) };
    };
    const ofTable = ({ y0 }: { y0: number }) => y0 < 800;
    for (const isEven of [true, false])
      expectRules(findRules(page(isEven)).filter(ofTable), [
        { x0: 100, x1: 1502, y0: 301, y1: 301 },
        { x0: 101, x1: 101, y0: 300, y1: 702 },
      ]);
    expect(findRules(page(true)).filter((rule) => !ofTable(rule))).toEqual(
      traceRules(page(true))
        .map(toRule)
        .filter((rule) => !ofTable(rule)),
    );
  });

  it('a picture of nothing but strokes → no rules', () => {
    const strokes = draw((set) => {
      for (let y = 0; y < HEIGHT; y += 4) for (let x = 0; x < WIDTH; x++) if (x % 40 > 3) set(x, y);
    });
    expect(findRules(strokes)).toEqual([]);
    expect(findRules({ data: new Uint8Array(0), width: 0, height: 0 })).toEqual([]);
    expect(findRules({ data: new Uint8Array(100), width: 10, height: 10 })).toEqual([]);
  });
});

describe('erasing rules', () => {
  const darkOf = ({ data }: Raster) => data.reduce((sum, shade) => sum + (shade < 100 ? 1 : 0), 0);

  it('rules of a table → erased, without the letters that touch them', () => {
    const letters = (set: (x: number, y: number) => void) => {
      for (const x of [320, 620]) line(set, [x, 506], [x, 540]);
      // One letter hangs through a rule.
      line(set, [420, 580], [420, 620]);
    };
    const page = draw((set) => {
      for (const y of [500, 600, 700]) line(set, [300, y], [1200, y + 8]);
      for (const x of [300, 600, 1200]) line(set, [x, 500], [x + 3, 708]);
      letters(set);
    });
    const before = darkOf(page);
    const bare = eraseRules(page, traceRules(page));
    expect(darkOf(page)).toBe(before);
    const [left, drawn] = [darkOf(bare), darkOf(draw(letters))];
    expect(left).toBeLessThan(drawn * 1.1);
    expect(left).toBeGreaterThan(drawn * 0.8);
    expect(findRules(bare).filter(({ x0, x1, y0, y1 }) => Math.max(x1 - x0, y1 - y0) > 100)).toEqual([]);
  });

  it('pale rules in the grain of a scan → erased as a grid, kept one by one', () => {
    const pale = (set: (x: number, y: number, shade?: number) => void) => (x: number, y: number) => set(x, y, 190);
    const grid = draw((set) => {
      for (const y of [300, 360, 420]) line(pale(set), [100, y], [900, y]);
      for (const x of [100, 500, 900]) line(pale(set), [x, 300], [x, 420]);
    });
    const bare = eraseRules(grid, traceRules(grid));
    const drawn = ({ data }: Raster) => data.reduce((sum, shade) => sum + (shade === 190 ? 1 : 0), 0);
    expect(drawn(bare)).toBeLessThan(drawn(grid) / 20);
    const row = draw((set) => {
      for (const y of [300, 360, 420]) line(pale(set), [100, y], [900, y]);
    });
    expect(traceRules(row)).toHaveLength(3);
    expect(eraseRules(row, traceRules(row))).toBe(row);
  });

  it('a rule with writing on it → erased; letters keep their feet', () => {
    const letters = (set: (x: number, y: number) => void) => {
      for (let x = 320; x < 900; x += 20) {
        line(set, [x, 470], [x, 499]);
        // The feet of these letters are one run, as long as a short rule.
        if (x > 500 && x < 700) line(set, [x, 498], [x + 19, 498]);
      }
    };
    const [y, from] = [500, 300];
    const page = draw((set) => {
      letters(set);
      line(set, [from, y], [1400, y]);
    });
    const bare = eraseRules(page, traceRules(page));
    const [left, drawn] = [darkOf(bare), darkOf(draw(letters))];
    expect(left / drawn).toBeGreaterThan(0.95);
    expect(left / drawn).toBeLessThan(1.1);
    expect(findRules(bare).filter(({ x0, x1 }) => x1 - x0 > 400)).toEqual([]);
  });

  it('a bare rule, as between the parts of a receipt, and strokes of large letters → kept', () => {
    const page = draw((set) => {
      for (const y of [300, 360]) line(set, [300, y], [1100, y]);
      for (const x of [320, 500, 700]) line(set, [x, 330], [x, 358]);
      // A very large H.
      for (const x of [300, 420]) line(set, [x, 900], [x, 1100]);
      line(set, [300, 1000], [420, 1000]);
    });
    expect(findRules(page).length).toBeGreaterThan(4);
    expect(darkOf(eraseRules(page, traceRules(page)))).toBe(darkOf(page));
  });
});
