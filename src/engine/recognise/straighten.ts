import type { LaidBlock } from '../layout/laid.js';
import type { Area } from '../pdf/read-drawing.js';
import { type Bend, measureBend, reframeBend, unbendRaster } from '../raster/bend.js';
import { darkenFaded } from '../raster/contrast.js';
import { lightenGrounds } from '../raster/dark-grounds.js';
import { type Field, findFields, lightenFields, sidesInTables } from '../raster/fields.js';
import { type DrawnRule, findRules } from '../raster/find-rules.js';
import { evenLight } from '../raster/light.js';
import { developNegative } from '../raster/negative.js';
import { guessTurn } from '../raster/orientation.js';
import { type Outline, outlineOf } from '../raster/outline.js';
import { type Raster, turnRaster } from '../raster/raster.js';
import { measureLie, rotateRaster } from '../raster/skew.js';
import { markBold } from './mark-bold.js';
import { markBullets } from './mark-bullets.js';
import type { OnInterim, Recogniser, Recognition } from './recogniser.js';

/** On a darker field, text is light. */
const DARK = 128;

/** Recognises pages upright, in even light and with level, straight lines; `skew` and `bend` say how these lean and bend on the page as it was given. */
export function straighten(recogniser: Recogniser): Recogniser {
  return {
    async recognise(raster, deadline, onInterim) {
      const { turn, ...page } = levelOut(raster);
      if (turn === 0) return await recogniseLevel(recogniser, page, deadline, onInterim);
      const turnBack = (found: Recognition) => ({ ...found, rotation: (found.rotation + turn) % 360 });
      const upright = levelOut(turnRaster(raster, turn));
      return turnBack(await recogniseLevel(recogniser, upright, deadline, (interim) => onInterim(turnBack(interim))));
    },
    prepare: recogniser.prepare,
  };
}

/** A page whose lines are level, or upright, as it was given and as it is read. */
interface LevelPage {
  raster: Raster;
  outline: Outline;
  level: Raster;
  skew: number;
}

/** `turn`: degrees, clockwise, after which it likely stands upright. */
function levelOut(raster: Raster): LevelPage & { turn: number } {
  const positive = developNegative(raster) ?? raster;
  const even = evenOut(lightenGrounds(positive) ?? positive);
  const lit = darkenFaded(even) ?? even;
  const outline = outlineOf(lit);
  const { skew, direction } = measureLie(outline);
  const level = skew === 0 ? lit : rotateRaster(lit, -skew);
  return { raster, outline: skew === 0 ? outline : outlineOf(level), level, skew, turn: guessTurn(level, direction) };
}

async function recogniseLevel(
  recogniser: Recogniser,
  { raster, outline, level, skew }: LevelPage,
  deadline: number,
  onInterim: OnInterim,
): Promise<Recognition> {
  const read = async (flat: Raster, bend?: Bend) => {
    const plain = takeFields(flat);
    const place = (found: Recognition) => {
      const rules = found.rotation === 0 ? plain.rules : takeFields(turnRaster(flat, found.rotation)).rules;
      const complete = { ...found, rules };
      const placed = skew === 0 ? complete : { ...centre(complete, raster), skew };
      return bend === undefined ? placed : { ...placed, bend: turnBend(bend, found.rotation, level, raster) };
    };
    const finish = (found: Recognition) => {
      const upright = turnRaster(plain.raster, found.rotation);
      return place({ ...found, blocks: markBullets(upright, markBold(upright, found.blocks)) });
    };
    return finish(await recogniser.recognise(plain.raster, deadline, (interim) => onInterim(finish(interim))));
  };
  const bend = measureBend(outline);
  if (bend === undefined) return await read(level);
  const found = await read(unbendRaster(level, bend), bend);
  // Lines that run up are not bent so.
  return found.rotation % 180 === 0 ? found : await read(level);
}

/** The picture in even light. A dark column is no shadow: taken for one, it would be as white as its letters. */
function evenOut(raster: Raster): Raster {
  const even = evenLight(raster);
  if (even === undefined) return raster;
  const dark = darkOf(findFields(raster));
  if (dark.length === 0) return even;
  const light = lightenFields(raster, dark);
  return evenLight(light) ?? light;
}

/** Dark text on a field is read as it is, and better left apart from the rest. */
const darkOf = (fields: readonly Field[]): Field[] =>
  fields.filter(({ shade, isPrinted }) => shade < DARK && isPrinted);

/** The picture with light text made dark, and the lines that are drawn on it. */
function takeFields(raster: Raster): { raster: Raster; rules: DrawnRule[] } {
  const fields = findFields(raster);
  const rules = findRules(lightenFields(raster, fields));
  return { raster: lightenFields(raster, darkOf(fields)), rules: [...rules, ...sidesInTables(fields, rules)] };
}

/** The bend of the level picture, which was turned upright to be read, in the frame of the page. */
function turnBend(bend: Bend, rotation: number, level: Raster, { width, height }: Raster): Bend {
  const direction = rotation === 180 ? -1 : 1;
  const place = (x: number, y: number) =>
    [
      0.5 + (direction * (x - 0.5) * width) / level.width,
      0.5 + (direction * (y - 0.5) * height) / level.height,
    ] as const;
  return reframeBend(bend, place, (direction * level.height) / height);
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
