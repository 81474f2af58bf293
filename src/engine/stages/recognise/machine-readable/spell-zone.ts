import { LETTERS, likeliestLetter } from './classify-letter.js';
import { agrees, type Check, FORMATS, type Place, type ZoneFormat } from './formats.js';

/** The text of a zone. */
export interface SpelledZone {
  lines: readonly string[];
  /** Check digits that agree, and that do not. */
  agreeing: number;
  failing: number;
  /** True when a doubtful letter was chosen by its check digit. */
  wasChosen: boolean;
}

/** Difference of the logarithms of probability up to which the letter that a place allows is read in place of a likelier one: O and 0, I and 1 hardly differ in print. */
const MAX_CLASS_DOUBT = 6;
/** Letters that poor print hardly tells apart. */
const ALIKE = ['0ODQ', '1IL', '2Z', '5S', '6G', '8B'];
/** The same difference for letters between which a check digit chooses; places with such letters, and the difference of all that are changed. */
const MAX_CHECK_DOUBT = 3;
const MAX_DOUBTFUL = 8;
const MAX_CHANGE = 6;
/** Share of the places that show a letter which the format does not allow there. */
const MAX_MISFIT_SHARE = 0.06;

/** Letters of all kinds of documents. */
const KINDS = FORMATS.map(({ begins }) => begins).join('');

type Cells = readonly (readonly Float32Array[])[];

/** Spells a zone in the format that it fits; undefined if it fits none. `cells`: the probabilities of the letters of each line. */
export function spellZone(cells: Cells): SpelledZone | undefined {
  const first = likeliestLetter(cells[0]?.[0] ?? new Float32Array(), KINDS).letter;
  const formats = FORMATS.filter(
    ({ lines, begins }) =>
      begins.includes(first) &&
      lines.length === cells.length &&
      lines.every((line, index) => line.length === cells[index]?.length),
  );
  return formats.map((format) => spell(cells, format)).find((zone) => zone !== undefined);
}

function spell(cells: Cells, { lines, checks }: ZoneFormat): SpelledZone | undefined {
  let [misfits, count] = [0, 0];
  const letters = cells.map((line, index) =>
    line.map((odds, at) => {
      const free = likeliestLetter(odds);
      const fitting = likeliestLetter(odds, lines[index]?.[at]);
      count++;
      if (fitting.odds >= free.odds - MAX_CLASS_DOUBT) return fitting.letter;
      misfits++;
      return free.letter;
    }),
  );
  if (misfits > count * MAX_MISFIT_SHARE) return undefined;
  const chosen = checks.reduce((known, check) => choose(known, cells, lines, check), letters);
  // Choices count only if they explain every check digit: those of specimens are made up.
  const wasChosen = chosen !== letters && checks.every((check) => agrees(chosen, check) !== false);
  const spelled = wasChosen ? chosen : letters;
  const results = checks.map((check) => agrees(spelled, check));
  return {
    lines: spelled.map((line) => line.join('')),
    agreeing: results.filter((agreed) => agreed === true).length,
    failing: results.filter((agreed) => agreed === false).length,
    wasChosen,
  };
}

/** A letter that is nearly as likely as the one that was read. */
interface Alternative {
  place: Place;
  letter: string;
  cost: number;
}

/** Replaces the most doubtful letters of a field so that its check digit agrees, if that is possible; never one that the picture shows clearly. */
function choose(letters: string[][], cells: Cells, lines: ZoneFormat['lines'], check: Check): string[][] {
  if (agrees(letters, check) !== false) return letters;
  const alternatives = [...check.covered, check.digit]
    .flatMap((place): Alternative[] => {
      const [line, at] = place;
      const odds = cells[line]?.[at];
      const read = letters[line]?.[at];
      if (odds === undefined || read === undefined) return [];
      const alike = ALIKE.find((group) => group.includes(read)) ?? '';
      const others = [...(lines[line]?.[at] ?? '')].filter((letter) => letter !== read && alike.includes(letter));
      const next = likeliestLetter(odds, others.join(''));
      const cost = (odds[LETTERS.indexOf(read)] ?? 0) - next.odds;
      return cost <= MAX_CHECK_DOUBT ? [{ place, letter: next.letter, cost }] : [];
    })
    .sort((a, b) => a.cost - b.cost)
    .slice(0, MAX_DOUBTFUL);
  let [best, leastCost] = [letters, MAX_CHANGE];
  for (let subset = 1; subset < 1 << alternatives.length; subset++) {
    const chosen = alternatives.filter((_, index) => (subset >> index) % 2 === 1);
    const cost = chosen.reduce((sum, alternative) => sum + Math.max(0, alternative.cost), 0);
    if (cost >= leastCost) continue;
    const changed = withLetters(letters, chosen);
    if (agrees(changed, check)) [best, leastCost] = [changed, cost];
  }
  return best;
}

function withLetters(letters: readonly (readonly string[])[], chosen: readonly Alternative[]): string[][] {
  const changed = letters.map((line) => [...line]);
  for (const { place, letter } of chosen) (changed[place[0]] as string[])[place[1]] = letter;
  return changed;
}
