import { type Bend, reframeBend } from '../../model/bend.js';
import type { Area } from '../../model/geometry.js';
import type { PageBlock } from '../../model/page.js';
import { createTurn } from '../../model/page-transform.js';
import { measureBend, unbendRaster } from '../picture/correct/bend.js';
import { type ClearedFrames, clearFrames } from '../picture/correct/clear-frames.js';
import { darkenFaded } from '../picture/correct/contrast.js';
import { lightenGrounds } from '../picture/correct/dark-grounds.js';
import { eraseRules } from '../picture/correct/erase-rules.js';
import { flattenPaper } from '../picture/correct/flat-paper.js';
import { clearGrain } from '../picture/correct/grain.js';
import { evenLight } from '../picture/correct/light.js';
import { liftGrounds } from '../picture/correct/lost-grounds.js';
import { developNegative } from '../picture/correct/negative.js';
import { guessTurn } from '../picture/correct/orientation.js';
import { isGrain, measureSkew, rotateRaster } from '../picture/correct/skew.js';
import { type Field, findFields, lightenFields, sidesInTables } from '../picture/find/fields.js';
import { type DrawnRule, findRules, type TracedRule, traceRules } from '../picture/find/find-rules.js';
import { type Outline, outlineOf } from '../picture/find/outline.js';
import { findTintedColumns, shrinkGround } from '../picture/find/tinted-columns.js';
import { type Raster, turnRaster } from '../picture/raster.js';
import { markBold } from './mark-bold.js';
import { markBullets } from './mark-bullets.js';
import { markEmptyCells } from './mark-empty-cells.js';
import { markLoneI } from './mark-lone-i.js';
import { markMinuses } from './mark-minuses.js';
import type { OnInterim, Recogniser, Recognition } from './recogniser.js';
import { restoreFrames } from './restore-frames.js';

/** Shade of a field below which its text is light. */
const MAX_DARK_SHADE = 128;

/**
 * Wraps a recogniser: it gets pages upright, in even light and with level, straight lines; `skew` and `bend` of the result
 * describe the lines on the given page. `isLatin`: all languages have Latin letters, which show the way up and have an I that looks like a bar.
 */
export function straighten(recogniser: Recogniser, isLatin: boolean): Recogniser {
  return {
    async recognise(raster, deadline, onInterim) {
      const { turn, hasLines, page } = await correctPage(raster, isLatin);
      // A picture without lines, like a photograph of things, has no print to read.
      const turnBack = (found: Recognition) => ({
        ...found,
        rotation: (found.rotation + turn) % 360,
        isUnsure: hasLines && found.isUnsure === true,
      });
      const keep = (interim: Recognition) => onInterim(turnBack(interim));
      return turnBack(await recogniseLevelPage(recogniser, page, isLatin, deadline, keep));
    },
    prepare: recogniser.prepare,
  };
}

/** A page with level or upright lines. */
interface LevelPage {
  level: Raster;
  outline: Outline;
  /** Tinted grounds of columns on the level picture. */
  shades: readonly Area[];
  /** Skew of the lines on the given page, in degrees. */
  skew: number;
  /** Size of the given page. */
  given: Sides;
}

type Sides = Pick<Raster, 'width' | 'height'>;

/** Corrects the light and the skew of a page and turns it upright. `turn`: the clockwise turn, in degrees. `hasLines`: lines stand out clearly. */
async function correctPage(
  raster: Raster,
  isLatin: boolean,
): Promise<{ turn: number; hasLines: boolean; page: LevelPage }> {
  const positive = developNegative(raster) ?? raster;
  const { ground, size } = shrinkGround(positive);
  const even = correctLight(lightenGrounds(positive) ?? positive);
  const { lit, outline } = await darken(even);
  const { skew, direction } = measureSkew(outline);
  const level = skew === 0 ? lit : rotateRaster(lit, -skew);
  const turn = isLatin ? guessTurn(level, direction) : 0;
  const upright = turnRaster(level, turn);
  const levelGround = turnRaster(skew === 0 ? ground : rotateRaster(ground, -skew), turn);
  return {
    turn,
    hasLines: direction !== undefined,
    page: {
      level: upright,
      outline: upright === lit ? outline : outlineOf(upright),
      shades: findTintedColumns(levelGround).map((column) => enlarge(column, size, levelGround, upright)),
      skew,
      given: turnSides(raster, turn),
    },
  };
}

async function recogniseLevelPage(
  recogniser: Recogniser,
  { level, outline, shades, skew, given }: LevelPage,
  isLatin: boolean,
  deadline: number,
  onInterim: OnInterim,
): Promise<Recognition> {
  const read = async (flat: Raster, bend?: Bend) => {
    const framed = isLatin ? clearFrames(flat) : undefined;
    const cleared = framed?.raster ?? flat;
    const plain = eraseFieldsAndRules(cleared);
    const turnBy = (rotation: number) => createTurn((360 - rotation) % 360, level).fromPage;
    const place = (found: Recognition) => {
      const rules = found.rotation === 0 ? plain.rules : findDrawn(turnRaster(cleared, found.rotation)).rules;
      const complete = { ...found, rules, shades: shades.map(turnBy(found.rotation)) };
      const placed = skew === 0 ? complete : { ...centreOnPage(complete, given), skew };
      return bend === undefined ? placed : { ...placed, bend: turnBend(bend, found.rotation, level, given) };
    };
    const restore = ({ boxes, rows }: ClearedFrames, blocks: PageBlock[], rotation: number) => {
      const turn = turnBy(rotation);
      const turned = rows.map((row) =>
        row.map((letter) => ({ ...letter, from: turn(letter.from), to: turn(letter.to) })),
      );
      return restoreFrames(
        blocks,
        boxes.map((box) => ({ ...box, ...turn(box) })),
        turned,
      );
    };
    const finish = (found: Recognition) => {
      const upright = turnRaster(plain.raster, found.rotation);
      const lettered = isLatin ? markLoneI(upright, found.blocks) : found.blocks;
      const marked = markMinuses(upright, markEmptyCells(upright, lettered));
      const listed = markBullets(upright, markBold(upright, marked));
      return place({ ...found, blocks: framed === undefined ? listed : restore(framed, listed, found.rotation) });
    };
    return finish(await recogniser.recognise(plain.raster, deadline, (interim) => onInterim(finish(interim))));
  };
  const bend = measureBend(outline);
  if (bend === undefined) return await read(level);
  const found = await read(unbendRaster(level, bend), bend);
  // The bend was measured for level lines, and does not fit lines that run up.
  return found.rotation % 180 === 0 ? found : await read(level);
}

/** Makes faded print dark. On a page with little but the grain of paper, the grain would become as dark as print: it is cleared instead. */
async function darken(even: Raster): Promise<{ lit: Raster; outline: Outline }> {
  const dark = darkenFaded(even);
  const outline = outlineOf(dark ?? even);
  if (dark === undefined || !isGrain(outline)) return { lit: dark ?? even, outline };
  const clear = await clearGrain(even);
  return { lit: clear, outline: outlineOf(clear) };
}

/** Evens the light of a picture. A dark column is no shadow: as a shadow it would become as white as its letters. */
function correctLight(raster: Raster): Raster {
  const even = evenLight(raster);
  if (even === undefined) return raster;
  const dark = darkFieldsOf(findFields(raster));
  if (dark.length === 0) return even;
  const light = lightenFields(raster, dark);
  return evenLight(light) ?? light;
}

/** Returns the fields with light text. Dark text on a field is read as it is. */
const darkFieldsOf = (fields: readonly Field[]): Field[] =>
  fields.filter(({ shade, isPrinted }) => shade < MAX_DARK_SHADE && isPrinted);

/**
 * Makes light text dark, erases the rules and the grounds that would be taken for ink, and returns the rules. Even paper
 * becomes white where rules were erased: words stand far apart there, with nothing but its grain between them.
 */
function eraseFieldsAndRules(raster: Raster): { raster: Raster; rules: DrawnRule[] } {
  const { fields, traced, rules } = findDrawn(raster);
  const light = lightenFields(raster, darkFieldsOf(fields));
  const bare = eraseRules(light, traced);
  const plain = liftGrounds(bare) ?? bare;
  return { raster: bare === light ? plain : flattenPaper(plain), rules };
}

/** Finds the fields and the rules of a picture. */
function findDrawn(raster: Raster): { fields: Field[]; traced: TracedRule[]; rules: DrawnRule[] } {
  const fields = findFields(raster);
  const light = lightenFields(raster, fields);
  const traced = traceRules(light);
  const rules = findRules(light, traced);
  return { fields, traced, rules: [...rules, ...sidesInTables(fields, rules)] };
}

/** Converts the bend of the level picture to the frame of the upright page. */
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

/** Returns an area of a picture in small on the large one, whose middle is the same. */
function enlarge({ x0, y0, x1, y1 }: Area, factor: number, small: Sides, large: Sides): Area {
  const [left, top] = [(large.width - small.width * factor) / 2, (large.height - small.height * factor) / 2];
  return { x0: left + x0 * factor, y0: top + y0 * factor, x1: left + x1 * factor, y1: top + y1 * factor };
}

/** Moves the result from the levelled picture, which is larger than the page, so that the middles of both coincide. */
function centreOnPage(found: Recognition & { rules: Area[]; shades: Area[] }, given: Sides): Recognition {
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
  return { ...found, blocks, rules: found.rules.map(move), shades: found.shades.map(move), width, height };
}
