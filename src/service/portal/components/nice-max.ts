const STEPS = [1, 2, 4, 5, 6, 8, 10];

/** Returns the top of a scale: at least `value`, even, and a round number. */
export function niceMax(value: number): number {
  if (value <= 2) return 2;
  const size = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((each) => (each * size) % 2 === 0 && each * size >= value);
  return (step ?? 10) * size;
}
