import { countCharacters } from '../../../model/fragment.js';
import type { Fragment, PageContent } from '../../../model/page.js';

/** Sizes of recognised lines vary with their letters: two within this factor may be one. */
const SAME_SIZE = 1.15;

/** Gives recognised lines, in place, sizes that can be compared with each other and with those of a text layer. */
export function evenSizes(pages: readonly PageContent[]): void {
  evenParagraphs(pages.flatMap(joinParagraphs));
  if (haveProse(pages)) measureInEms(pages);
}

/** Share of the lines that go on in the middle of a sentence, in running text. */
const MIN_RUNNING_SHARE = 0.05;
const MIN_RUNNING_LINES = 3;

/** True when the document has running text. Slips and forms have none: their rows stand as close as the lines of one cell do elsewhere. */
function haveProse(pages: readonly PageContent[]): boolean {
  let [all, running] = [0, 0];
  for (const { fragments } of pages) {
    all += fragments.length;
    running += fragments.filter((line, index) => continuesSentence(line, fragments[index - 1])).length;
  }
  return running >= MIN_RUNNING_LINES && running >= all * MIN_RUNNING_SHARE;
}

const continuesSentence = (line: Fragment, above: Fragment | undefined): boolean =>
  !line.beginsParagraph &&
  /^\p{Ll}{2}/u.test(line.words[0]?.text ?? '') &&
  /\p{L}{2},?$/u.test(above?.words.at(-1)?.text ?? '');

/** Share of an em from the tips of the ascenders to those of the descenders in the usual typefaces: what a recogniser measures as the size. */
const MEASURED_EM = 0.9;

/** Changes sizes, in place, to ems: text layers tell sizes in ems, and the distances of lines and words are judged by them. */
function measureInEms(pages: readonly PageContent[]): void {
  for (const { fragments } of pages)
    for (const line of fragments) for (const part of [line, ...line.words]) part.fontSize /= MEASURED_EM;
}

/** Space between the lines of a paragraph, as a share of their size. */
const MAX_LEADING = 0.35;
/** Labels of a form or a receipt have fewer words. */
const MIN_WORDS = 6;

/** Lines by paragraph. A line right under a full one, from the same left end, belongs to the same paragraph even where the recogniser cut it. */
function joinParagraphs({ fragments }: PageContent): Fragment[][] {
  const paragraphs: Fragment[][] = [];
  for (const line of fragments) {
    const last = paragraphs.at(-1)?.at(-1);
    if (last !== undefined && (!line.beginsParagraph || isCutOff(line, last))) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

const isCutOff = (line: Fragment, above: Fragment): boolean =>
  above.words.length >= MIN_WORDS &&
  above.x1 > line.x1 - above.fontSize &&
  line.y0 > above.y0 &&
  line.y0 - above.y1 < above.fontSize * MAX_LEADING &&
  Math.abs(line.x0 - above.x0) < above.fontSize / 2;

/** A run of lines, and the size of most of their characters. */
interface Run {
  lines: Fragment[];
  size: number;
  characters: number;
}

/** Gives one size to lines of a paragraph whose sizes are near, then to runs of lines, from the body text on. */
function evenParagraphs(paragraphs: readonly (readonly Fragment[])[]): void {
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

function splitBySize(lines: readonly Fragment[]): Run[] {
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
