/** Samples that a module, the width of the narrowest bar, is measured with. */
export const MODULE_SAMPLES = 3;
/** Spread of the blur, in modules: sharp pictures to ones whose narrowest bars are shadows. */
const BLURS = [0.4, 0.7, 1.05, 1.4] as const;
/** The usual blur, with which a place is looked for. */
export const USUAL_BLUR = 1;

/** Digits of the left half with an odd number of dark modules. Source: ISO/IEC 15420, "EAN/UPC". */
const ODD_DIGITS = [
  ...['0001101', '0011001', '0010011', '0111101', '0100011'],
  ...['0110001', '0101111', '0111011', '0110111', '0001011'],
];
const RIGHT_DIGITS = ODD_DIGITS.map((digit) => digit.replace(/./g, (module) => (module === '1' ? '0' : '1')));
const EVEN_DIGITS = RIGHT_DIGITS.map((digit) => [...digit].reverse().join(''));

/** A piece of a code as it looks through a blur: dark is high; its mean is 0 and its length 1. */
export type Template = Float32Array;

export interface Templates {
  odd: readonly Template[];
  even: readonly Template[];
  right: readonly Template[];
  start: Template;
  middle: Template;
  end: Template;
}

/** The pieces of a code for each blur. Modules beside a piece are given, as far as every code has the same there: blur mixes them in. */
export const TEMPLATES: readonly Templates[] = BLURS.map((blur) => ({
  odd: ODD_DIGITS.map((digit) => blurred('1', digit, '0', blur)),
  even: EVEN_DIGITS.map((digit) => blurred('1', digit, '0', blur)),
  right: RIGHT_DIGITS.map((digit) => blurred('0', digit, '1', blur)),
  start: blurred('0', '001010', '?', blur),
  middle: blurred('?', '1010101', '?', blur),
  end: blurred('?', '010100', '0', blur),
}));

function blurred(before: string, modules: string, after: string, blur: number): Template {
  const shades = [...`?${before}${modules}${after}?`].map((module) => (module === '?' ? 0.5 : Number(module)));
  const template = new Float32Array(modules.length * MODULE_SAMPLES);
  for (let index = 0; index < template.length; index++) {
    const at = 1 + before.length + (index + 0.5) / MODULE_SAMPLES;
    let [shade, all] = [0, 0];
    for (const [module, dark] of shades.entries()) {
      const weight = shareBelow((module + 1 - at) / blur) - shareBelow((module - at) / blur);
      shade += weight * dark;
      all += weight;
    }
    template[index] = shade / all;
  }
  return normalise(template, template.length);
}

/** Shifts and scales the first samples to mean 0 and length 1, in place; a flat piece becomes 0. */
export function normalise(samples: Float32Array, count: number): Float32Array {
  let mean = 0;
  for (let index = 0; index < count; index++) mean += samples[index] ?? 0;
  mean /= count;
  let squares = 0;
  for (let index = 0; index < count; index++) {
    const deviation = (samples[index] ?? 0) - mean;
    samples[index] = deviation;
    squares += deviation * deviation;
  }
  const scale = squares > 1e-3 ? 1 / Math.sqrt(squares) : 0;
  for (let index = 0; index < count; index++) samples[index] = (samples[index] ?? 0) * scale;
  return samples;
}

/** Share of a normal distribution below `z`, by a logistic curve: the difference of 0.01 does not matter here. */
function shareBelow(z: number): number {
  return 1 / (1 + Math.exp(-1.702 * z));
}
