import type { LaidBlock } from '../layout/blocks.js';
import type { Area } from '../pdf/read-drawing.js';
import { eraseFrames, findRules, toRule, traceRules, type Unframed } from '../raster/find-rules.js';
import { evenLight } from '../raster/light.js';
import { type Raster, turnRaster } from '../raster/raster.js';
import { measureSkew, rotateRaster } from '../raster/skew.js';
import { markBold } from './mark-bold.js';
import type { Recogniser, Recognition } from './recogniser.js';

/** Recognises pages in even light and with level lines; `skew` says how these lean on the page as it was given. */
export function straighten(recogniser: Recogniser): Recogniser {
  return {
    async recognise(raster, deadline, onInterim) {
      const lit = evenLight(raster) ?? raster;
      const skew = measureSkew(lit);
      const level = skew === 0 ? lit : rotateRaster(lit, -skew);
      const traced = traceRules(level);
      const place = (found: Recognition) => {
        const rules = found.rotation === 0 ? traced.map(toRule) : findRules(turnRaster(level, found.rotation));
        const complete = { ...found, rules };
        return skew === 0 ? complete : { ...centre(complete, raster), skew };
      };
      let found = await recogniser.recognise(level, deadline, (interim) => onInterim(place(interim)));
      const unframed = eraseFrames(level, traced);
      const known = unframed === undefined ? 0 : countInside(found, unframed);
      if (unframed !== undefined && known * 2 < unframed.cells) {
        onInterim(place(found));
        const again = await recogniser.recognise(unframed.raster, deadline, () => undefined);
        if (again.rotation === 0 && countInside(again, unframed) > known * 2) found = again;
      }
      markBold(turnRaster(level, found.rotation), found.blocks);
      return place(found);
    },
    prepare: recogniser.prepare,
  };
}

/** Words that were read in the frames: Tesseract takes some tables for pictures, and leaves out what is in them. */
function countInside({ blocks, rotation }: Recognition, { area }: Unframed): number {
  if (rotation !== 0) return Number.POSITIVE_INFINITY;
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  return words.filter(({ x0, y0, x1, y1 }) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return x > area.x0 && x < area.x1 && y > area.y0 && y < area.y1;
  }).length;
}

/** The levelled picture is larger than the page: what was found in it is moved so that the middles of both are one. */
function centre(found: Recognition & { rules: Area[] }, raster: Raster): Recognition {
  const sideways = found.rotation % 180 !== 0;
  const width = sideways ? raster.height : raster.width;
  const height = sideways ? raster.width : raster.height;
  const [dx, dy] = [(width - found.width) / 2, (height - found.height) / 2];
  const move = ({ x0, y0, x1, y1 }: Area): Area => ({ x0: x0 + dx, y0: y0 + dy, x1: x1 + dx, y1: y1 + dy });
  const blocks: LaidBlock[] = found.blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({
      ...{ ...line, ...move(line), baseline: line.baseline + dy },
      words: line.words.map((word) => ({ ...word, ...move(word), baseline: word.baseline + dy })),
    })),
  }));
  return { ...found, blocks, rules: found.rules.map(move), width, height };
}
