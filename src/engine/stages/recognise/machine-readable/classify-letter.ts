import { copyWindow, type Ink, WINDOW_PIXELS } from './letter-strip.js';
import { WEIGHTS } from './letter-weights.js';

/** The characters of machine-readable zones, in the order of the network's outputs; the last output is no letter. */
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
const OUTPUTS = LETTERS.length + 1;
/** Weights are whole numbers of one byte, each layer by its scale. */
const MAX_WEIGHT = 127;

interface Layer {
  weights: Float32Array;
  biases: Float32Array;
}

let layers: [Layer, Layer] | undefined;

/** Unpacks the weights where they are first needed. */
function useLayers(): [Layer, Layer] {
  layers ??= [unpack(WEIGHTS.hidden), unpack(WEIGHTS.output)];
  return layers;
}

function unpack({ scale, weights, biases }: { scale: number; weights: string; biases: readonly number[] }): Layer {
  const bytes = new Int8Array(Buffer.from(weights, 'base64'));
  return {
    weights: Float32Array.from(bytes, (value) => (value * scale) / MAX_WEIGHT),
    biases: Float32Array.from(biases),
  };
}

const window = new Float32Array(WINDOW_PIXELS);

/** Returns the logarithm of the probability of each letter, and of none, in the window with this corner. */
export function classifyLetter(picture: Ink, left: number, top: number): Float32Array {
  const [hidden, output] = useLayers();
  copyWindow(picture, left, top, window);
  const values = multiply(hidden, window).map((value) => Math.max(0, value));
  const odds = multiply(output, values);
  const largest = odds.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let index = 0; index < OUTPUTS; index++) sum += Math.exp((odds[index] ?? 0) - largest);
  const total = largest + Math.log(sum);
  return odds.map((value) => value - total);
}

function multiply({ weights, biases }: Layer, inputs: Float32Array): Float32Array {
  const results = new Float32Array(biases);
  for (let index = 0; index < results.length; index++) {
    let sum = results[index] ?? 0;
    const row = index * inputs.length;
    for (let at = 0; at < inputs.length; at++) sum += (weights[row + at] ?? 0) * (inputs[at] ?? 0);
    results[index] = sum;
  }
  return results;
}

/** Returns the likeliest letter of `allowed`, and its logarithm of probability. */
export function likeliestLetter(odds: Float32Array, allowed = LETTERS): { letter: string; odds: number } {
  let best = { letter: '', odds: Number.NEGATIVE_INFINITY };
  for (const letter of allowed) {
    const value = odds[LETTERS.indexOf(letter)] ?? Number.NEGATIVE_INFINITY;
    if (value > best.odds) best = { letter, odds: value };
  }
  return best;
}
