import { append } from '../../model/append.js';
import { countBy } from '../../model/counts.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { toLine } from './hocr.js';

/** The text of one reading at a word's place, and its confidence, 0-1. */
export interface Vote {
  text: string;
  confidence: number;
}

/** The words of a page that further readings have as well, with the votes of all readings. */
export type Ballots = Map<PageWord, readonly Vote[]>;

/** Returns the factor by which a text is likelier than by its votes alone. */
type Favour = (text: string) => number;

/** Returns the votes on a word; its own text if no other reading has one there. */
export const votesOn = (word: PageWord, ballots: Ballots): readonly Vote[] =>
  ballots.get(word) ?? [{ text: word.text, confidence: word.confidence ?? 0 }];

/** Removes the decimal signs of a number. Readings overlook signs but do not imagine them: of two readings with the same digits, the one with signs is right. */
export const withoutSigns = (text: string): string => text.replace(/(?<=\d)[.,](?=\d)/g, '');

/** Returns the likeliest text, with its confidence: readings that agree would all have to make the same mistake. The first of equals wins. */
export function leading(votes: readonly Vote[], favour: Favour = () => 1): Vote {
  const alike = groupBy(votes, ({ text }) => withoutSigns(text));
  const candidates = [...alike].map(([bare, group]) => {
    const signed = group.filter(({ text }) => text !== bare);
    const spelled = groupBy(signed.length > 0 ? signed : group, ({ text }) => text);
    const text = likeliest(
      [...spelled.keys()],
      (spelling) => oddsOf(agreed(spelled.get(spelling) ?? [])) * favour(spelling),
    );
    return { text, confidence: agreed(group) };
  });
  return likeliest(candidates, ({ text, confidence }) => oddsOf(confidence) * favour(text));
}

function groupBy(votes: readonly Vote[], keyOf: (vote: Vote) => string): Map<string, Vote[]> {
  const groups = new Map<string, Vote[]>();
  for (const vote of votes) append(groups, keyOf(vote), vote);
  return groups;
}

const agreed = (votes: readonly Vote[]): number =>
  1 - votes.reduce((wrong, { confidence }) => wrong * (1 - confidence), 1);

const MIN_DOUBT = 1e-6;
const oddsOf = (confidence: number): number => confidence / (1 - confidence + MIN_DOUBT);

function likeliest<T>(candidates: readonly T[], scoreOf: (candidate: T) => number): T {
  const scores = candidates.map(scoreOf);
  return candidates[scores.indexOf(Math.max(...scores))] as T;
}

/** Returns the page with the texts that win the vote. */
export function elect(blocks: readonly PageBlock[], ballots: Ballots): PageBlock[] {
  const words = wordsOf(blocks);
  const repeats = findRepeats(words, ballots);
  const usual = findUsualSigns(words, ballots);
  const decide = (word: PageWord): PageWord => {
    const votes = ballots.get(word);
    return votes === undefined ? word : { ...word, ...leading(votes, (text) => repeats(word, text) * usual(text)) };
  };
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => toLine(line.words.map(decide), line.order)),
  }));
}

/** Digits of a number that rarely recurs by chance. */
const MIN_DIGITS = 3;
/** Factor for a number that is certain elsewhere on the page; further places than MAX_REPEATS add nothing. */
const REPEATED_ODDS = 4;
const MAX_REPEATS = 2;

/**
 * Finds the numbers of a page and returns their factor for a text at the place of a word. Sums and amounts of receipts, dates
 * and codes occur more than once: a number that is doubtful in one place may be clear in another.
 */
function findRepeats(words: readonly PageWord[], ballots: Ballots): (word: PageWord, text: string) => number {
  const placesOf = new Map<string, Map<PageWord, number>>();
  for (const word of words) {
    for (const { text, confidence } of votesOn(word, ballots)) {
      const number = numberOf(text);
      if (number === undefined) continue;
      const places = placesOf.get(number) ?? new Map<PageWord, number>();
      placesOf.set(number, places.set(word, Math.max(places.get(word) ?? 0, confidence)));
    }
  }
  return (word, text) => {
    const places = placesOf.get(numberOf(text) ?? '') ?? [];
    const elsewhere = [...places].reduce((sum, [place, confidence]) => (place === word ? sum : sum + confidence), 0);
    return 1 + (REPEATED_ODDS - 1) * Math.min(MAX_REPEATS, elsewhere);
  };
}

/** Returns a number without the signs around it; undefined if it has few digits. */
function numberOf(text: string): string | undefined {
  const number = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return (number.match(/\p{Nd}/gu)?.length ?? 0) >= MIN_DIGITS ? number : undefined;
}

const SIGN = /(?<=\d)([.,])(\d+)/g;
const THOUSAND_DIGITS = 3;

/** Returns a factor for texts whose signs have their usual role on the page. A point is easily taken for a comma, but a page uses one of them for thousands and the other for decimals. */
function findUsualSigns(words: readonly PageWord[], ballots: Ballots): Favour {
  const rolesIn = (text: string) =>
    [...text.matchAll(SIGN)].map(([, sign = '', { length } = '']) => ({
      sign,
      isThousand: length === THOUSAND_DIGITS,
    }));
  const keyOf = (sign: string, isThousand: boolean) => `${sign}${isThousand}`;
  const votes = words.flatMap((word) => votesOn(word, ballots));
  const weights = countBy(
    votes.flatMap(({ text, confidence }) => rolesIn(text).map((role) => ({ ...role, confidence }))),
    ({ sign, isThousand }) => keyOf(sign, isThousand),
    ({ confidence }) => confidence,
  );
  const known = (sign: string, isThousand: boolean) => 1 + (weights.get(keyOf(sign, isThousand)) ?? 0);
  return (text) =>
    rolesIn(text).reduce((share, { sign, isThousand }) => {
      const largest = Math.max(known('.', isThousand), known(',', isThousand));
      return (share * known(sign, isThousand)) / largest;
    }, 1);
}
