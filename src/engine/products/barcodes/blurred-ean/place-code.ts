import { MODULE_SAMPLES, normalise, TEMPLATES, type Template, type Templates, USUAL_BLUR } from './templates.js';

/** Modules of a code, from the first to the last bar. */
const CODE_MODULES = 95;

type Kind = 'start' | 'left' | 'middle' | 'right' | 'end';
interface Piece {
  kind: Kind;
  /** First module and number of modules. */
  from: number;
  modules: number;
}

const halfFrom = (kind: 'left' | 'right', from: number): Piece[] =>
  [0, 1, 2, 3, 4, 5].map((digit) => ({ kind, from: from + 7 * digit, modules: 7 }));
const PIECES: readonly Piece[] = [
  { kind: 'start', from: -2, modules: 6 },
  ...halfFrom('left', 3),
  { kind: 'middle', from: 44, modules: 7 },
  ...halfFrom('right', 50),
  { kind: 'end', from: 91, modules: 6 },
];
export const DIGIT_PIECES = PIECES.filter(({ kind }) => kind === 'left' || kind === 'right');

/** Place of a code on a profile, in pixels. */
export interface Place {
  /** Outer edges of the first and the last bar. */
  x0: number;
  x1: number;
  /** Growth of the modules along the code: it is photographed from the side. */
  growth: number;
  /** Index of the blur in TEMPLATES. */
  blur: number;
  /** Mean likeness of the pieces, at most 1. */
  likeness: number;
}

/** Likeness of a place below which it is not looked at more closely. */
const MIN_COARSE_LIKENESS = 0.6;
/** Steps of the coarse search: modules by which each edge is moved, and growths. */
const COARSE_SHIFTS = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5];
const COARSE_GROWTHS = [-0.08, 0, 0.08];
const OTHER_SIDE_LIKENESS = -0.3;
/** Moves of the fine search: steps of the edges and of the growth. */
const MOVES = [
  ...[-1, 1].flatMap((sign): Move[] => [
    [sign, 0, 0],
    [0, sign, 0],
    [0, 0, sign],
    [sign, sign, 0],
    [sign, -sign, 0],
  ]),
];
type Move = [number, number, number];
const FIRST_STEP_MODULES = 0.3;
const GROWTH_STEP = 0.04;
const FINE_ROUNDS = 4;
const MAX_ROUND_MOVES = 6;

/** Finds the place near these edges where the profile is most like a code; undefined where it is not like one anywhere. */
export function placeCode(profile: Float32Array, from: number, to: number): Place | undefined {
  const module = (to - from) / CODE_MODULES;
  let best: Place | undefined;
  const attempt = (x0: number, x1: number, growth: number, blur: number): boolean => {
    const place = { x0, x1, growth, blur, likeness: 0 };
    place.likeness = meanLikeness(profile, place);
    if (best !== undefined && place.likeness <= best.likeness) return false;
    best = place;
    return true;
  };
  for (const left of COARSE_SHIFTS)
    for (const right of COARSE_SHIFTS)
      for (const growth of COARSE_GROWTHS) attempt(from + left * module, to + right * module, growth, USUAL_BLUR);
  if (best === undefined || best.likeness < MIN_COARSE_LIKENESS) return undefined;
  const tryBlurs = ({ x0, x1, growth }: Place) => {
    for (const blur of TEMPLATES.keys()) attempt(x0, x1, growth, blur);
  };
  tryBlurs(best);
  let step = FIRST_STEP_MODULES;
  for (let round = 0; round < FINE_ROUNDS; round++, step /= 2) {
    for (let moves = 0; moves < MAX_ROUND_MOVES; moves++) {
      const { x0, x1, growth, blur } = best;
      const moved = MOVES.filter(([a, b, c]) =>
        attempt(x0 + a * step * module, x1 + b * step * module, growth + c * step * GROWTH_STEP, blur),
      );
      if (moved.length === 0) break;
    }
  }
  tryBlurs(best);
  return best;
}

const samples = new Float32Array(7 * MODULE_SAMPLES);

/** Takes the samples of a piece off the profile, normalised; false where it ends before. */
function sample(profile: Float32Array, { x0, x1, growth }: Place, { from, modules }: Piece): boolean {
  const count = modules * MODULE_SAMPLES;
  for (let index = 0; index < count; index++) {
    const along = (from + (index + 0.5) / MODULE_SAMPLES) / CODE_MODULES;
    const x = x0 + (x1 - x0) * (along + growth * along * (1 - along)) - 0.5;
    const left = Math.floor(x);
    if (left < 0 || left + 1 >= profile.length) return false;
    const share = x - left;
    samples[index] = -((profile[left] ?? 0) * (1 - share) + (profile[left + 1] ?? 0) * share);
  }
  normalise(samples, count);
  return true;
}

/** Likeness of the sampled piece to a template: their correlation. */
function likenessTo(template: Template): number {
  let sum = 0;
  for (let index = 0; index < template.length; index++) sum += (template[index] ?? 0) * (samples[index] ?? 0);
  return sum;
}

function meanLikeness(profile: Float32Array, place: Place): number {
  const templates = TEMPLATES[place.blur] as Templates;
  let sum = 0;
  for (const piece of PIECES)
    sum += sample(profile, place, piece) ? bestLikeness(templates, piece.kind) : OTHER_SIDE_LIKENESS;
  return sum / PIECES.length;
}

function bestLikeness(templates: Templates, kind: Kind): number {
  if (kind === 'right') return mostAlike(templates.right);
  if (kind === 'left') return Math.max(mostAlike(templates.odd), mostAlike(templates.even));
  return likenessTo(templates[kind]);
}

function mostAlike(templates: readonly Template[]): number {
  let most = -1;
  for (const template of templates) most = Math.max(most, likenessTo(template));
  return most;
}

/** Likeness of a piece to each digit of the three sets; undefined where the profile ends before it. */
export function digitLikeness(
  profile: Float32Array,
  place: Place,
  piece: Piece,
): Record<'odd' | 'even' | 'right', number[]> | undefined {
  const { odd, even, right } = TEMPLATES[place.blur] as Templates;
  if (!sample(profile, place, piece)) return undefined;
  return { odd: odd.map(likenessTo), even: even.map(likenessTo), right: right.map(likenessTo) };
}
