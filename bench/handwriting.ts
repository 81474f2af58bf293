import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takePicture } from '../src/engine/reading/take-picture.js';
import { createRecogniser } from '../src/engine/stages/recognise/create-recogniser.js';
import { findNativeTesseract } from '../src/engine/stages/recognise/find-native-tesseract.js';
import { measureContext, weigh } from '../src/engine/stages/recognise/handwriting/judge-words.js';
import {
  leaveOutHandwriting,
  MAX_POOR_CONFIDENCE,
} from '../src/engine/stages/recognise/handwriting/leave-out-handwriting.js';
import { measurePage } from '../src/engine/stages/recognise/handwriting/looks-handwritten.js';
import { type MeasuredWord, measureWords } from '../src/engine/stages/recognise/handwriting/measure-words.js';
import { planRecognition } from '../src/engine/stages/recognise/languages.js';
import { type ReadWords, readWords } from '../src/engine/stages/recognise/read-page.js';
import { straighten } from '../src/engine/stages/recognise/straighten.js';
import { unpackLanguageData } from '../src/service/config/unpack-language-data.js';
import { fitLogistic, type Logistic, type LogisticSample } from './fit-logistic.js';

/** The fitted weights, which the engine has as a file of its source. */
const WEIGHTS = fileURLToPath(new URL('../src/engine/stages/recognise/handwriting/weights.ts', import.meta.url));
const TYPES: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg' };
const PAGE_TIMEOUT_MS = 300_000;
const MAX_PIXELS = 1e8;
/** Letters of a word that counts. Shorter ones are specks and pieces of rules as often as text. */
const MIN_LENGTH = 2;
/** How often a handwritten word of a page with print counts: there are few of them. */
const MIXED_WEIGHT = 3;

interface Page extends ReadWords {
  name: string;
  hasHandwriting: boolean;
  /** The words that are printed on it, without signs; undefined where they are not known. */
  printed: ReadonlySet<string> | undefined;
}

/**
 * Fits the weights that tell handwriting from print to the pictures of a folder. Those whose names begin with `hand` have
 * handwriting. The words that are printed on a picture are in a text beside it (`NAME.txt`); without one its words count for
 * nothing, and a page with an empty one is all handwriting.
 */
export async function fitHandwriting([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error('fit-handwriting needs a folder of pictures');
  const pages = await readPages(folder);
  const words = pages.map((page) => ({ page, lines: measureWords(page.evidence) }));
  const samplesOf = (measure: (lines: MeasuredWord[][]) => number[][][]): LogisticSample[] =>
    words.flatMap(({ page, lines }) => {
      const measures = measure(lines).flat();
      return lines.flat().flatMap((word, index) => {
        const isTrue = isWritten(page, word);
        if (isTrue === undefined) return [];
        const copies = isTrue && (page.printed?.size ?? 0) > 0 ? MIXED_WEIGHT : 1;
        return Array<LogisticSample>(copies).fill({ measures: measures[index] ?? [], isTrue });
      });
    });
  const word = fitLogistic(samplesOf((lines) => lines.map((row) => row.map(({ measures }) => [...measures]))));
  const oddsOf = (row: MeasuredWord[]) => row.map(({ measures }) => weigh(measures, word));
  const context = fitLogistic(samplesOf((lines) => measureContext(lines, lines.map(oddsOf))));
  const poor = pages.filter(({ evidence, hasZone }) => evidence.meanConfidence < MAX_POOR_CONFIDENCE && !hasZone);
  const page = fitLogistic(
    poor.map(({ evidence, hasHandwriting }) => ({ measures: measurePage(evidence.raster), isTrue: hasHandwriting })),
  );
  const show = ({ bias, weights }: Logistic) =>
    `{ bias: ${bias.toFixed(2)}, weights: [${weights.map((weight) => weight.toFixed(2)).join(', ')}] }`;
  writeFileSync(
    WEIGHTS,
    `/** Weights of the measures of handwriting, by \`npm run bench -- fit-handwriting\`. */
export const WEIGHTS = {
  /** For a word by itself: its measures in their order. */
  word: ${show(word)},
  /** For a word among others: its own log odds, those of the words beside it, and those of the page. */
  context: ${show(context)},
  /** For a page that could hardly be read. */
  page: ${show(page)},
};
`,
  );
}

/** Prints what is left out as handwriting of the pictures of folders, which are as for `fitHandwriting`. */
export async function printHandwriting(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const pages = (await readPages(folder)).map((page) => {
      const { blocks, handwriting } = leaveOutHandwriting(page.evidence);
      const isLeft = page.hasZone ? undefined : handwriting;
      const kept = new Set(page.hasZone ? [] : blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words)));
      const words = measureWords(page.evidence).flat();
      const count = (written: boolean) => words.filter((word) => isWritten(page, word) === written);
      const lost = (written: boolean) => count(written).filter(({ word }) => !page.hasZone && !kept.has(word)).length;
      return {
        page,
        isLeft,
        print: count(false).length,
        printLost: lost(false),
        written: count(true).length,
        left: lost(true),
      };
    });
    const sum = (value: (row: (typeof pages)[number]) => number) => pages.reduce((all, row) => all + value(row), 0);
    const warned = (has: boolean) => pages.filter(({ page, isLeft }) => page.hasHandwriting === has && isLeft).length;
    const all = (has: boolean) => pages.filter(({ page }) => page.hasHandwriting === has).length;
    console.log(`\n${basename(folder)}`);
    console.log(
      `pages with handwriting that get the warning  ${warned(true)} of ${all(true)}; others ${warned(false)} of ${all(false)}`,
    );
    console.log(`handwritten words left out  ${sum(({ left }) => left)} of ${sum(({ written }) => written)}`);
    console.log(`printed words left out  ${sum(({ printLost }) => printLost)} of ${sum(({ print }) => print)}`);
  }
}

/** True for handwriting, false for print, undefined for words that may be either. */
function isWritten({ hasHandwriting, printed }: Page, { word, length }: MeasuredWord): boolean | undefined {
  if (printed === undefined || length < MIN_LENGTH) return undefined;
  if (printed.has(bare(word.text))) return false;
  return hasHandwriting || undefined;
}

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

async function readPages(folder: string): Promise<Page[]> {
  await unpackLanguageData();
  const plan = planRecognition(undefined, await findNativeTesseract(process.env));
  const pages: Page[] = [];
  for (const file of readdirSync(folder).sort()) {
    const mimeType = TYPES[parse(file).ext];
    if (mimeType === undefined) continue;
    const path = join(folder, file);
    const truth = join(folder, `${parse(file).name}.txt`);
    const printed = existsSync(truth) ? new Set(readFileSync(truth, 'utf8').split(/\s+/).map(bare)) : undefined;
    printed?.delete('');
    const recogniser = straighten(
      createRecogniser(plan, async (engines, raster, deadline, onInterim) => {
        const read = await readWords(engines, raster, deadline, onInterim);
        pages.push({ ...read, name: file, hasHandwriting: file.startsWith('hand'), printed });
        return read.finish({ blocks: [] });
      }),
      true,
    );
    const task = { path, mimeType, password: undefined, page: 1, plan, maxPixels: MAX_PIXELS };
    const { raster } = await takePicture(task);
    await recogniser.recognise(raster, performance.now() + PAGE_TIMEOUT_MS, () => undefined);
  }
  return pages;
}
