import type { LaidBlock } from '../layout/blocks.js';
import type { Area } from '../pdf/read-drawing.js';
import { findRules, toRule, traceRules } from '../raster/find-rules.js';
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
      const found = await recogniser.recognise(level, deadline, (interim) => onInterim(place(interim)));
      markBold(turnRaster(level, found.rotation), found.blocks);
      return place(found);
    },
    prepare: recogniser.prepare,
  };
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
