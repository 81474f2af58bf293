import { shareOf } from '../src/engine/model/log-odds.js';

/** A logistic formula: the log odds of a sample are the bias and its measures, each with its weight. */
export interface Logistic {
  bias: number;
  weights: number[];
}

export interface LogisticSample {
  measures: readonly number[];
  isTrue: boolean;
}

const STEPS = 2000;
const RATE = 2;
const DECAY = 1e-3;

/** Fits a logistic formula to samples by gradient descent over measures of one scale. */
export function fitLogistic(samples: readonly LogisticSample[]): Logistic {
  const length = samples[0]?.measures.length ?? 0;
  const indices = Array.from({ length }, (_, index) => index);
  const means = indices.map((index) => mean(samples.map(({ measures }) => measures[index] ?? 0)));
  const scales = indices.map((index) =>
    Math.sqrt(mean(samples.map(({ measures }) => ((measures[index] ?? 0) - (means[index] ?? 0)) ** 2)) + 1e-12),
  );
  const rows = samples.map(({ measures, isTrue }) => ({
    values: indices.map((index) => ((measures[index] ?? 0) - (means[index] ?? 0)) / (scales[index] ?? 1)),
    isTrue,
  }));
  const weights = new Float64Array(length);
  let bias = 0;
  for (let step = 0; step < STEPS; step++) {
    const slopes = new Float64Array(length);
    let slope = 0;
    for (const { values, isTrue } of rows) {
      let odds = bias;
      for (let index = 0; index < length; index++) odds += (values[index] ?? 0) * (weights[index] ?? 0);
      const error = shareOf(odds) - (isTrue ? 1 : 0);
      slope += error;
      for (let index = 0; index < length; index++) slopes[index] = (slopes[index] ?? 0) + error * (values[index] ?? 0);
    }
    bias -= (RATE * slope) / rows.length;
    for (const index of indices) {
      const weight = weights[index] ?? 0;
      weights[index] = weight - RATE * ((slopes[index] ?? 0) / rows.length + DECAY * weight);
    }
  }
  const own = indices.map((index) => (weights[index] ?? 0) / (scales[index] ?? 1));
  return { bias: bias - own.reduce((sum, weight, index) => sum + weight * (means[index] ?? 0), 0), weights: own };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
