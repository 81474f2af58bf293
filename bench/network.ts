/** Numbers of the three layers of a network. */
interface Shape {
  inputs: number;
  hidden: number;
  outputs: number;
}

/** A trained layer: its weights as whole numbers of one byte, in base64, in steps of `scale` / 127. */
interface PackedLayer {
  scale: number;
  biases: number[];
  weights: string;
}

const BATCH = 64;
const FIRST_RATE = 0.002;
const LAST_RATE = 0.0001;
const [DECAY_OF_MEAN, DECAY_OF_SQUARES, SMALLEST] = [0.9, 0.999, 1e-8];
const WEIGHT_DECAY = 2e-5;
const HELD_BACK_SHARE = 0.05;
const MAX_WEIGHT = 127;

/** Trains a network with one hidden layer (ReLU, softmax, Adam). Prints the share of right answers on windows that are held back. */
export function trainNetwork(
  samples: readonly { window: Float32Array; letter: number }[],
  { inputs, hidden, outputs }: Shape,
  epochs: number,
  random: () => number,
): { hidden: PackedLayer; output: PackedLayer } {
  const weigh = (count: number, spread: number) =>
    Float32Array.from({ length: count }, () => (random() + random() - 1) * spread);
  const first = { weights: weigh(hidden * inputs, 0.14), biases: new Float32Array(hidden) };
  const second = { weights: weigh(outputs * hidden, 0.35), biases: new Float32Array(outputs) };
  const parameters = [first.weights, first.biases, second.weights, second.biases];
  const [means, squares, gradients] = [0, 1, 2].map(() => parameters.map((values) => new Float32Array(values.length)));
  if (means === undefined || squares === undefined || gradients === undefined) throw new Error('no state');
  const [toFirst, toFirstBias, toSecond, toSecondBias] = gradients as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const values = new Float32Array(hidden);
  const shares = new Float32Array(outputs);
  const run = (window: Float32Array) => {
    for (let j = 0; j < hidden; j++)
      values[j] = Math.max(0, dot(first.weights, j * inputs, window) + (first.biases[j] ?? 0));
    for (let c = 0; c < outputs; c++)
      shares[c] = Math.exp(dot(second.weights, c * hidden, values) + (second.biases[c] ?? 0));
    const sum = shares.reduce((total, value) => total + value, 0);
    for (let c = 0; c < outputs; c++) shares[c] = (shares[c] ?? 0) / sum;
  };
  const learn = (window: Float32Array, letter: number) => {
    run(window);
    const back = new Float32Array(hidden);
    for (let c = 0; c < outputs; c++) {
      const slope = (shares[c] ?? 0) - (c === letter ? 1 : 0);
      toSecondBias[c] = (toSecondBias[c] ?? 0) + slope;
      addTimes(toSecond, c * hidden, values, slope);
      for (let j = 0; j < hidden; j++) back[j] = (back[j] ?? 0) + slope * (second.weights[c * hidden + j] ?? 0);
    }
    for (let j = 0; j < hidden; j++) {
      if ((values[j] ?? 0) <= 0) continue;
      toFirstBias[j] = (toFirstBias[j] ?? 0) + (back[j] ?? 0);
      addTimes(toFirst, j * inputs, window, back[j] ?? 0);
    }
  };
  let steps = 0;
  const step = (rate: number) => {
    steps++;
    const [ofMean, ofSquares] = [1 - DECAY_OF_MEAN ** steps, 1 - DECAY_OF_SQUARES ** steps];
    parameters.forEach((weights, index) => {
      const [mean, square, gradient] = [means[index], squares[index], gradients[index]] as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      for (let at = 0; at < weights.length; at++) {
        const slope = (gradient[at] ?? 0) / BATCH + (index % 2 === 0 ? WEIGHT_DECAY * (weights[at] ?? 0) : 0);
        mean[at] = DECAY_OF_MEAN * (mean[at] ?? 0) + (1 - DECAY_OF_MEAN) * slope;
        square[at] = DECAY_OF_SQUARES * (square[at] ?? 0) + (1 - DECAY_OF_SQUARES) * slope ** 2;
        weights[at] =
          (weights[at] ?? 0) -
          (rate * (mean[at] ?? 0)) / ofMean / (Math.sqrt((square[at] ?? 0) / ofSquares) + SMALLEST);
      }
      gradient.fill(0);
    });
  };
  const heldBack = samples.slice(Math.floor(samples.length * (1 - HELD_BACK_SHARE)));
  const learnt = samples.slice(0, samples.length - heldBack.length);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(learnt, random);
    learnt.forEach(({ window, letter }, index) => {
      learn(window, letter);
      if (index % BATCH === BATCH - 1) step(FIRST_RATE * (1 - epoch / epochs) + LAST_RATE);
    });
    const right = heldBack.filter(({ window, letter }) => {
      run(window);
      return shares.indexOf(shares.reduce((a, b) => Math.max(a, b))) === letter;
    });
    console.log(`epoch ${epoch + 1}: ${(right.length / heldBack.length).toFixed(4)} right`);
  }
  return { hidden: pack(first), output: pack(second) };
}

function dot(weights: Float32Array, from: number, inputs: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < inputs.length; at++) sum += (weights[from + at] ?? 0) * (inputs[at] ?? 0);
  return sum;
}

function addTimes(to: Float32Array, from: number, inputs: Float32Array, factor: number): void {
  for (let at = 0; at < inputs.length; at++) to[from + at] = (to[from + at] ?? 0) + factor * (inputs[at] ?? 0);
}

function shuffle<T>(values: T[], random: () => number): void {
  for (let at = values.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [values[at], values[other]] = [values[other] as T, values[at] as T];
  }
}

function pack({ weights, biases }: { weights: Float32Array; biases: Float32Array }): PackedLayer {
  const scale = weights.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bytes = Int8Array.from(weights, (value) => Math.round((value / scale) * MAX_WEIGHT));
  const round = (value: number, digits: number) => Number(value.toFixed(digits));
  return {
    scale: round(scale, 4),
    biases: Array.from(biases, (value) => round(value, 3)),
    weights: Buffer.from(bytes.buffer).toString('base64'),
  };
}
