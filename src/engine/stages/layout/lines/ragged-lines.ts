import { isAddress, MIN_ADDRESS_LINES } from '../../../model/addresses.js';
import { splitWhere } from '../../../model/groups.js';
import type { PageLine } from '../../../model/page.js';
import { parseMarker } from '../markers.js';
import { fillsLine, isCentred, isInSizeOf, isWithinSentence } from './line-room.js';
import { isBold, lineText } from './lines.js';

/** Largest step between the base lines of lines right below each other, in ems. */
const MAX_STEP_EM = 1.6;

/** Ends of lines that tell how a text is set. */
const MIN_ENDS = 3;

/**
 * Finds the lines that stand each for itself, as on a receipt, in an address or a verse: among lines right below each
 * other, half end where the first word of the next one would have found room. Prose does so only where a paragraph
 * ends.
 */
export function findRagged(lines: readonly PageLine[]): ReadonlySet<PageLine> {
  const edge = Math.max(...lines.map(({ block, x1 }) => (block === undefined ? x1 : 0)));
  const ragged = new Set<PageLine>();
  for (const run of splitWhere(lines, (line, previous) => !isOfOneRun(line, previous))) {
    // Most runs are too short for an address, and need no texts.
    const isKnown = run.length >= MIN_ADDRESS_LINES && isAddress(run.map(lineText));
    const ends = run.slice(1).map((line, index) => ({ line, previous: run[index] ?? line }));
    const early = ends.filter(({ line, previous }) =>
      isKnown ? !lineText(previous).endsWith('-') : !fillsLine(line, previous, edge),
    );
    const others = early.filter(({ line, previous }) => isMail(line) || !isWithinSentence(line, previous));
    if ((ends.length < MIN_ENDS && !isKnown) || early.length * 2 < ends.length) continue;
    // Prose that is set narrower than the column is mostly within a sentence.
    if ((early.length - others.length) * 4 > early.length) continue;
    for (const { line } of isKnown ? early : others) ragged.add(line);
  }
  return ragged;
}

/** True for an address of e-mail or the web alone, which begins with a small letter. */
const isMail = ({ words }: PageLine): boolean => words.length === 1 && /.@|^www\./.test(words[0]?.text ?? '');

/** True for lines of one size, right below each other from one edge, none of which begins a block by another rule. */
function isOfOneRun(line: PageLine, previous: PageLine): boolean {
  if (line.block !== undefined || previous.block !== undefined) return false;
  if (line.direction === 'rtl' || isBold(line) || isBold(previous) || line.apart.size > 0) return false;
  if (parseMarker(line.words) !== undefined || isCentred(line, previous)) return false;
  const size = line.fontSize;
  if (!isInSizeOf(previous, line) || Math.abs(line.x0 - previous.x0) > size * 0.5) return false;
  return line.baseline - previous.baseline < size * MAX_STEP_EM;
}
