import { append } from '../../model/append.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { toLine } from './hocr.js';

/** What one reading has where a word stands, and how sure it is of it, 0-1. */
export interface Vote {
  text: string;
  confidence: number;
}

/** The words of a page that further readings have seen, with the votes of all readings. */
export type Ballots = Map<PageWord, readonly Vote[]>;

/** How many times likelier a text is than by its votes alone. */
type Favour = (text: string) => number;

/** The votes on a word; its own, where nothing else has been read there. */
export const votesOn = (word: PageWord, ballots: Ballots): readonly Vote[] =>
  ballots.get(word) ?? [{ text: word.text, confidence: word.confidence ?? 0 }];

/** Decimal signs are overlooked and not imagined: of two readings of the same digits the one that has them is right. */
export const withoutSigns = (text: string): string => text.replace(/(?<=\d)[.,](?=\d)/g, '');

/** The text that most speaks for, and how sure it is: readings that say the same would all have to be wrong in the same way. The first of equals stands. */
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

const LEAST_DOUBT = 1e-6;
const oddsOf = (confidence: number): number => confidence / (1 - confidence + LEAST_DOUBT);

function likeliest<T>(candidates: readonly T[], scoreOf: (candidate: T) => number): T {
  const scores = candidates.map(scoreOf);
  return candidates[scores.indexOf(Math.max(...scores))] as T;
}

/** The page with the texts that have won. */
export function elect(blocks: readonly PageBlock[], ballots: Ballots): PageBlock[] {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
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

/** So many digits are seldom the same by chance. */
const LEAST_DIGITS = 3;
/** How many times likelier a number is that surely stands elsewhere on the page, too; more than two places say no more. */
const REPEATED_ODDS = 4;
const MOST_REPEATS = 2;

/**
 * Numbers stand on a page more than once, as sums and amounts of receipts, dates and codes do: what is in doubt in one place may be clear in another.
 * How much that weighs for a text in the place of a word.
 */
function findRepeats(words: readonly PageWord[], ballots: Ballots): (word: PageWord, text: string) => number {
  const sureAt = new Map<string, Map<PageWord, number>>();
  for (const word of words) {
    for (const { text, confidence } of votesOn(word, ballots)) {
      const number = numberOf(text);
      if (number === undefined) continue;
      const places = sureAt.get(number) ?? new Map<PageWord, number>();
      sureAt.set(number, places.set(word, Math.max(places.get(word) ?? 0, confidence)));
    }
  }
  return (word, text) => {
    const places = sureAt.get(numberOf(text) ?? '') ?? [];
    const elsewhere = [...places].reduce((sum, [place, sure]) => (place === word ? sum : sum + sure), 0);
    return 1 + (REPEATED_ODDS - 1) * Math.min(MOST_REPEATS, elsewhere);
  };
}

/** Without what may stand around it; undefined where it has few digits. */
function numberOf(text: string): string | undefined {
  const number = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return (number.match(/\p{Nd}/gu)?.length ?? 0) >= LEAST_DIGITS ? number : undefined;
}

const SIGN = /(?<=\d)([.,])(\d+)/g;
const THOUSAND_DIGITS = 3;

/** A point is easily taken for a comma, but a page has one of them for thousands and one for decimals. How much the signs of a text are those that its page has in their places. */
function findUsualSigns(words: readonly PageWord[], ballots: Ballots): Favour {
  const sureOf = new Map<string, number>();
  const rolesIn = (text: string) =>
    [...text.matchAll(SIGN)].map(([, sign = '', { length } = '']) => ({
      sign,
      isThousand: length === THOUSAND_DIGITS,
    }));
  const keyOf = (sign: string, isThousand: boolean) => `${sign}${isThousand}`;
  for (const { text, confidence } of words.flatMap((word) => votesOn(word, ballots))) {
    for (const { sign, isThousand } of rolesIn(text)) {
      const key = keyOf(sign, isThousand);
      sureOf.set(key, (sureOf.get(key) ?? 0) + confidence);
    }
  }
  const known = (sign: string, isThousand: boolean) => 1 + (sureOf.get(keyOf(sign, isThousand)) ?? 0);
  return (text) =>
    rolesIn(text).reduce((share, { sign, isThousand }) => {
      const most = Math.max(known('.', isThousand), known(',', isThousand));
      return (share * known(sign, isThousand)) / most;
    }, 1);
}
