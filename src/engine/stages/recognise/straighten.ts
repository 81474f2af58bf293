import { type Bend, reframeBend } from '../../model/bend.js';
import type { Area } from '../../model/geometry.js';
import type { PageBlock } from '../../model/page.js';
import { measureBend, unbendRaster } from '../picture/correct/bend.js';
import { darkenFaded } from '../picture/correct/contrast.js';
import { lightenGrounds } from '../picture/correct/dark-grounds.js';
import { eraseRules } from '../picture/correct/erase-rules.js';
import { clearGrain } from '../picture/correct/grain.js';
import { evenLight } from '../picture/correct/light.js';
import { developNegative } from '../picture/correct/negative.js';
import { guessTurn } from '../picture/correct/orientation.js';
import { isGrain, measureLie, rotateRaster } from '../picture/correct/skew.js';
import { type Field, findFields, lightenFields, sidesInTables } from '../picture/find/fields.js';
import { type DrawnRule, findRules, type TracedRule, traceRules } from '../picture/find/find-rules.js';
import { type Outline, outlineOf } from '../picture/find/outline.js';
import { type Raster, turnRaster } from '../picture/raster.js';
import { markBold } from './mark-bold.js';
import { markBullets } from './mark-bullets.js';
import type { OnInterim, Recogniser, Recognition } from './recogniser.js';

/** On a darker field, text is light. */
const DARK = 128;

/**
 * Recognises pages upright, in even light and with level, straight lines; `skew` and `bend` say how these lean and bend on
 * the page. `isLatin`: they are read in languages with Latin letters alone, which show which way up they stand.
 */
export function straighten(recogniser: Recogniser, isLatin: boolean): Recogniser {
  return {
    async recognise(raster, deadline, onInterim) {
      const { turn, hasLines, page } = await levelOut(raster, isLatin);
      // What has no lines, as a photograph of things, is no print that could be read.
      const turnBack = (found: Recognition) => ({
        ...found,
        rotation: (found.rotation + turn) % 360,
        isUnsure: hasLines && found.isUnsure === true,
      });
      return turnBack(await recogniseLevel(recogniser, page, deadline, (interim) => onInterim(turnBack(interim))));
    },
    prepare: recogniser.prepare,
  };
}

/** A page whose lines are level, or upright. */
interface LevelPage {
  level: Raster;
  outline: Outline;
  /** How they leaned on the page before, which had these sides. */
  skew: number;
  given: Sides;
}

type Sides = Pick<Raster, 'width' | 'height'>;

/** `turn`: degrees, clockwise, by which the page was turned, since it likely stands upright so. `hasLines`: they stand out clearly. */
async function levelOut(
  raster: Raster,
  isLatin: boolean,
): Promise<{ turn: number; hasLines: boolean; page: LevelPage }> {
  const positive = developNegative(raster) ?? raster;
  const even = evenOut(lightenGrounds(positive) ?? positive);
  const { lit, outline } = await darken(even);
  const { skew, direction } = measureLie(outline);
  const level = skew === 0 ? lit : rotateRaster(lit, -skew);
  const turn = isLatin ? guessTurn(level, direction) : 0;
  const upright = turnRaster(level, turn);
  return {
    turn,
    hasLines: direction !== undefined,
    page: {
      level: upright,
      outline: upright === lit ? outline : outlineOf(upright),
      skew,
      given: turnSides(raster, turn),
    },
  };
}

async function recogniseLevel(
  recogniser: Recogniser,
  { level, outline, skew, given }: LevelPage,
  deadline: number,
  onInterim: OnInterim,
): Promise<Recognition> {
  const read = async (flat: Raster, bend?: Bend) => {
    const plain = takeFields(flat);
    const place = (found: Recognition) => {
      const rules = found.rotation === 0 ? plain.rules : findDrawn(turnRaster(flat, found.rotation)).rules;
      const complete = { ...found, rules };
      const placed = skew === 0 ? complete : { ...centre(complete, given), skew };
      return bend === undefined ? placed : { ...placed, bend: turnBend(bend, found.rotation, level, given) };
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

/** Faded print made dark; with the grain of paper, where there is little but that, it would become as dark as print. */
async function darken(even: Raster): Promise<{ lit: Raster; outline: Outline }> {
  const dark = darkenFaded(even);
  const outline = outlineOf(dark ?? even);
  if (dark === undefined || !isGrain(outline)) return { lit: dark ?? even, outline };
  const clear = await clearGrain(even);
  return { lit: clear, outline: outlineOf(clear) };
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

/** The picture with light text made dark and without the lines that are drawn on it, and these. */
function takeFields(raster: Raster): { raster: Raster; rules: DrawnRule[] } {
  const { fields, traced, rules } = findDrawn(raster);
  return { raster: eraseRules(lightenFields(raster, darkOf(fields)), traced), rules };
}

/** The fields of a picture, and the lines that are drawn on it. */
function findDrawn(raster: Raster): { fields: Field[]; traced: TracedRule[]; rules: DrawnRule[] } {
  const fields = findFields(raster);
  const light = lightenFields(raster, fields);
  const traced = traceRules(light);
  const rules = findRules(light, traced);
  return { fields, traced, rules: [...rules, ...sidesInTables(fields, rules)] };
}

/** The bend of the level picture, which was turned upright to be read, in the frame of the page. */
function turnBend(bend: Bend, rotation: number, level: Raster, { width, height }: Sides): Bend {
  const direction = rotation === 180 ? -1 : 1;
  const place = (x: number, y: number) =>
    [
      0.5 + (direction * (x - 0.5) * width) / level.width,
      0.5 + (direction * (y - 0.5) * height) / level.height,
    ] as const;
  return reframeBend(bend, place, (direction * level.height) / height);
}

const turnSides = ({ width, height }: Sides, degrees: number): Sides =>
  degrees % 180 === 0 ? { width, height } : { width: height, height: width };

/** The levelled picture is larger than the page: what was found in it is moved so that the middles of both are one. */
function centre(found: Recognition & { rules: Area[] }, given: Sides): Recognition {
  const { width, height } = turnSides(given, found.rotation);
  const [dx, dy] = [(width - found.width) / 2, (height - found.height) / 2];
  const move = ({ x0, y0, x1, y1 }: Area): Area => ({ x0: x0 + dx, y0: y0 + dy, x1: x1 + dx, y1: y1 + dy });
  const blocks: PageBlock[] = found.blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({
      ...{ ...line, ...move(line), baseline: line.baseline + dy },
      words: line.words.map((word) => ({ ...word, ...move(word), baseline: word.baseline + dy })),
    })),
  }));
  return { ...found, blocks, rules: found.rules.map(move), width, height };
}
