/** One of the zones of ICAO 9303, parts 4 to 7. */
export interface ZoneFormat {
  /** The letters that begin a document of this kind. */
  begins: string;
  /** The allowed letters of each place of each line. */
  lines: readonly (readonly string[])[];
  checks: readonly Check[];
}

/** A check digit, and the places that it covers. */
export interface Check {
  covered: readonly Place[];
  digit: Place;
}

export type Place = readonly [line: number, at: number];

const DIGITS = '0123456789<';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<';
/** Classes of letters, as the formats below name them. Dates and check digits may be left out. */
const CLASSES: Record<string, string> = {
  d: DIGITS,
  l: CAPITALS,
  a: CAPITALS + DIGITS.slice(0, -1),
  s: 'MFX<',
};

/** Writes out a pattern: a class and the number of its places, again and again. */
const places = (pattern: string): string[] =>
  [...pattern.matchAll(/([a-z])(\d+)/g)].flatMap(([, kind = '', count]) =>
    Array.from({ length: Number(count) }, () => CLASSES[kind] ?? ''),
  );

const span = (line: number, from: number, to: number): Place[] =>
  Array.from({ length: to - from }, (_, index) => [line, from + index] as const);
const check = (line: number, from: number, to: number): Check => ({ covered: span(line, from, to), digit: [line, to] });

/** Number, birth and expiry in the lower line of passports and visas. */
const LOWER_CHECKS = [check(1, 0, 9), check(1, 13, 19), check(1, 21, 27)];
const LOWER_FIELDS = 'a9d1l3d6d1s1d6d1';
const wholeLowerLine = (last: number): Check => ({
  covered: [...span(1, 0, 10), ...span(1, 13, 20), ...span(1, 21, last)],
  digit: [1, last],
});

/** Passports, visas of two sizes, and cards of two sizes. Visas have no check digit of the whole line. */
export const FORMATS: readonly ZoneFormat[] = [
  {
    begins: 'P',
    lines: [places('l44'), places(`${LOWER_FIELDS}a14d2`)],
    checks: [...LOWER_CHECKS, check(1, 28, 42), wholeLowerLine(43)],
  },
  { begins: 'V', lines: [places('l44'), places(`${LOWER_FIELDS}a16`)], checks: LOWER_CHECKS },
  { begins: 'V', lines: [places('l36'), places(`${LOWER_FIELDS}a8`)], checks: LOWER_CHECKS },
  {
    begins: 'IACP',
    lines: [places('l36'), places(`${LOWER_FIELDS}a7d1`)],
    checks: [...LOWER_CHECKS, wholeLowerLine(35)],
  },
  {
    begins: 'IACP',
    lines: [places('l1a1l3a9d1a15'), places('d6d1s1d6d1l3a11d1'), places('l30')],
    checks: [
      check(0, 5, 14),
      check(1, 0, 6),
      check(1, 8, 14),
      { covered: [...span(0, 5, 30), ...span(1, 0, 7), ...span(1, 8, 15), ...span(1, 18, 29)], digit: [1, 29] },
    ],
  },
];

const WEIGHTS = [7, 3, 1];
const weightOf = (letter: string): number => (letter === '<' ? 0 : Number.parseInt(letter, 36));

/** True when a check digit agrees; undefined where there is none, as in a long number that goes on behind its place. */
export function agrees(lines: readonly (readonly string[])[], { covered, digit }: Check): boolean | undefined {
  const letters = covered.map(([line, at]) => lines[line]?.[at] ?? '<');
  const written = lines[digit[0]]?.[digit[1]] ?? '<';
  if (written === '<' && letters.some((letter) => letter !== '<')) return undefined;
  const sum = letters.reduce((total, letter, index) => total + weightOf(letter) * (WEIGHTS[index % 3] ?? 0), 0);
  return sum % 10 === weightOf(written);
}
