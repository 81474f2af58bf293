import type { LaidBlock } from '../layout/blocks.js';
import { createFragment } from '../layout/fragment.js';
import { findRules } from '../raster/find-rules.js';
import { evenLight } from '../raster/light.js';
import { type Raster, turnRaster } from '../raster/raster.js';
import { measureSkew, rotateRaster } from '../raster/skew.js';
import { markBold } from './mark-bold.js';
import type { Recogniser, Recognition } from './recogniser.js';

/** Recognises pages in even light and with level lines; what it finds stands where it is on the page as it was given. */
export function straighten(recogniser: Recogniser): Recogniser {
  return {
    async recognise(raster, deadline, onInterim) {
      const lit = evenLight(raster) ?? raster;
      const skew = measureSkew(lit);
      const level = skew === 0 ? lit : rotateRaster(lit, -skew);
      const place = (found: Recognition) => (skew === 0 ? withRules(found, lit) : turnBack(found, raster, skew));
      const found = await recogniser.recognise(level, deadline, (interim) => onInterim(place(interim)));
      markBold(turnRaster(level, found.rotation), found.blocks);
      return place(found);
    },
    prepare: recogniser.prepare,
  };
}

/** A recognition has the size of the picture that it was made of, turned. */
function withRules(recognition: Recognition, lit: Raster): Recognition {
  return { ...recognition, rules: findRules(turnRaster(lit, recognition.rotation)) };
}

/** Words keep their size, and their middles go to where they are on the page: upright boxes around slanted words would overlap. */
function turnBack(recognition: Recognition, raster: Raster, skew: number): Recognition {
  const sideways = recognition.rotation % 180 !== 0;
  const width = sideways ? raster.height : raster.width;
  const height = sideways ? raster.width : raster.height;
  const angle = (skew * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const blocks = recognition.blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => {
      const words = line.words.map((word) => {
        const x = (word.x0 + word.x1) / 2 - recognition.width / 2;
        const y = (word.y0 + word.y1) / 2 - recognition.height / 2;
        const dx = x * cos - y * sin + width / 2 - (word.x0 + word.x1) / 2;
        const dy = y * cos + x * sin + height / 2 - (word.y0 + word.y1) / 2;
        const [x0, x1] = [clamp(word.x0 + dx, width), clamp(word.x1 + dx, width)];
        return {
          ...word,
          x0,
          x1,
          y0: clamp(word.y0 + dy, height),
          y1: clamp(word.y1 + dy, height),
          baseline: word.baseline + dy,
        };
      });
      const { x0, y0, x1, y1 } = createFragment(words, line.order);
      return { ...line, words, x0, y0, x1, y1, baseline: words[0]?.baseline ?? line.baseline };
    }),
  })) satisfies LaidBlock[];
  return { ...recognition, blocks, width, height };
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
