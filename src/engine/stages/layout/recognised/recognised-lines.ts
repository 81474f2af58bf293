import { countCharacters } from '../../../model/fragment.js';
import type { PageLayout, PageLine } from '../../../model/page.js';
import { restoreMarkers } from '../lists/recognised-markers.js';

/** Sizes of recognised lines vary with their letters: by so much they may be one. */
const SAME_SIZE = 1.15;

/** Makes recognised lines, in place, what those of a text layer are: of sizes that can be compared, the markers of their items told. */
export function refineRecognised(pages: readonly PageLayout[]): void {
  evenSizes(pages.flatMap(joinParagraphs));
  if (haveProse(pages)) measureInEms(pages);
  for (const page of pages) restoreMarkers(page.blocks.flatMap(({ lines }) => lines));
}

/** Of the lines of running text: as many go on in the midst of a sentence. */
const LEAST_RUNNING = 0.05;
const LEAST_RUNNING_LINES = 3;

/** Slips and forms have none: their rows stand as close as the lines of one cell do elsewhere. */
function haveProse(pages: readonly PageLayout[]): boolean {
  let [all, running] = [0, 0];
  for (const { lines } of pages.flatMap(({ blocks }) => blocks)) {
    all += lines.length;
    running += lines.filter((line, index) => goesOn(line, lines[index - 1])).length;
  }
  return running >= LEAST_RUNNING_LINES && running >= all * LEAST_RUNNING;
}

const goesOn = (line: PageLine, above: PageLine | undefined): boolean =>
  /^\p{Ll}{2}/u.test(line.words[0]?.text ?? '') && /\p{L}{2},?$/u.test(above?.words.at(-1)?.text ?? '');

/** Type is measured from the tips of its ascenders to those of its descenders, which in the usual faces is so much of an em. */
const MEASURED_EM = 0.9;

/** In place. Text layers tell sizes in ems, and how far lines and words stand apart is told by these. */
function measureInEms(pages: readonly PageLayout[]): void {
  for (const line of pages.flatMap(({ blocks }) => blocks.flatMap(({ lines }) => lines)))
    for (const part of [line, ...line.words]) part.fontSize /= MEASURED_EM;
}

/** Of the space between the lines of a paragraph, as a share of their size. */
const MOST_LEADING = 0.35;
/** Labels of a form or a receipt have fewer. */
const LEAST_WORDS = 6;

/** The lines of blocks; what goes on right under a full line, from the same left end, is of a paragraph that was parted. */
function joinParagraphs({ blocks }: PageLayout): PageLine[][] {
  const paragraphs: PageLine[][] = [];
  for (const { lines } of blocks) {
    const last = paragraphs.at(-1)?.at(-1);
    const [next] = lines;
    const isParted =
      last !== undefined &&
      next !== undefined &&
      last.words.length >= LEAST_WORDS &&
      last.x1 > next.x1 - last.fontSize &&
      next.y0 > last.y0 &&
      next.y0 - last.y1 < last.fontSize * MOST_LEADING &&
      Math.abs(next.x0 - last.x0) < last.fontSize / 2;
    if (isParted) paragraphs.at(-1)?.push(...lines);
    else paragraphs.push([...lines]);
  }
  return paragraphs;
}

/** A run of lines, and the size of most of their characters. */
interface Run {
  lines: PageLine[];
  size: number;
  characters: number;
}

/** Lines of a paragraph whose sizes are near have one; then paragraphs, the body's first. */
function evenSizes(paragraphs: readonly (readonly PageLine[])[]): void {
  const runs = paragraphs.flatMap(splitBySize).sort((a, b) => a.size - b.size);
  const all = runs.reduce((sum, { characters }) => sum + characters, 0);
  let seen = 0;
  const body = runs.findIndex(({ characters }) => {
    seen += characters;
    return seen * 2 >= all;
  });
  const bodySize = runs[body]?.size ?? 0;
  let size = bodySize;
  for (const run of runs.slice(body)) {
    if (run.size > size * SAME_SIZE) size = run.size;
    setSize(run, size);
  }
  size = bodySize;
  for (const run of runs.slice(0, body).reverse()) {
    if (run.size * SAME_SIZE < size) size = run.size;
    setSize(run, size);
  }
}

function splitBySize(lines: readonly PageLine[]): Run[] {
  const runs: Run[] = [];
  for (const line of lines) {
    const characters = countCharacters(line);
    const run = runs.at(-1);
    if (run === undefined || Math.max(run.size, line.fontSize) > Math.min(run.size, line.fontSize) * SAME_SIZE) {
      runs.push({ lines: [line], size: line.fontSize, characters });
    } else {
      run.lines.push(line);
      run.size = (run.size * run.characters + line.fontSize * characters) / (run.characters + characters);
      run.characters += characters;
    }
  }
  return runs;
}

function setSize({ lines }: Run, size: number): void {
  for (const line of lines) for (const part of [line, ...line.words]) part.fontSize = size;
}
