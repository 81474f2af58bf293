/** Colours, the same as those of pages of `ocr open`, and sizes. All text has a contrast of 4.5:1 or more in both schemes. */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #101419);
  --panel: light-dark(#fff, #171c23);
  --raised: light-dark(#fbfbfc, #1c222b);
  --ink: light-dark(#1b2430, #e4e8ee);
  --soft: light-dark(#56616f, #9ba7b6);
  --rule: light-dark(#e2e6eb, #2a323d);
  --edge: light-dark(#ccd3dc, #3a4553);
  --control: light-dark(#84909e, #6b7889);
  --accent: light-dark(#1857c4, #86b4ff);
  --accent-ground: light-dark(#e8f0fd, #1c2f4c);
  --on-accent: light-dark(#fff, #0c1a30);
  --good: light-dark(#14693a, #6fce98);
  --good-ground: light-dark(#e5f5ec, #14301f);
  --bad: light-dark(#b3261e, #ff9d94);
  --bad-ground: light-dark(#fdecea, #3d1a18);
  --warn: light-dark(#7d5200, #e9bc55);
  --warn-ground: light-dark(#fdf3dc, #35290d);
  --shadow: 0 1px 2px light-dark(rgb(20 30 45 / .06), rgb(0 0 0 / .4));
  --radius: 6px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
`;
