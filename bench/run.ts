// npm run bench [-- start-up | extract | install-size …]     every figure that we claim, beside its anchor
import { extract } from './extract.js';
import type { Figure, Suite } from './figure.js';
import { printInstallSizes } from './install-size.js';
import { compare } from './measure.js';
import { startUp } from './start-up.js';

const SUITES: Record<string, () => Suite> = { 'start-up': startUp, extract };
const DEFAULT_RUNS = 11;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SUITES) && name !== 'install-size');
if (unknown.length > 0) {
  console.error(
    `no such figures: ${unknown.join(', ')}. There are: ${[...Object.keys(SUITES), 'install-size'].join(', ')}`,
  );
  process.exitCode = 2;
} else {
  for (const [name, open] of Object.entries(SUITES)) {
    if (wanted.length === 0 || wanted.includes(name)) await runSuite(name, open());
  }
  if (wanted.length === 0 || wanted.includes('install-size')) {
    console.log('\ninstall-size');
    printInstallSizes();
  }
}

async function runSuite(name: string, suite: Suite): Promise<void> {
  console.log(`\n${name} (medians; ratio = median of the paired ratios)`);
  try {
    for (const figure of suite.figures) console.log(runFigure(figure));
  } finally {
    await suite.stop?.();
  }
}

function runFigure(figure: Figure): string {
  const label = figure.name.padEnd(46);
  if (typeof figure.anchor === 'string') return `${label} not measured: ${figure.anchor}`;
  const { ours, anchor, ...ratios } = compare(figure.ours, figure.anchor, figure.runs ?? DEFAULT_RUNS);
  const ms = (value: number) => `${value.toFixed(0).padStart(6)} ms`;
  const [mine, theirs, ratio] =
    figure.metric === 'cpu'
      ? [ours.cpuMs, anchor.cpuMs, ratios.cpuRatio]
      : [ours.wallMs, anchor.wallMs, ratios.wallRatio];
  const goal = figure.goal === undefined ? '' : `   goal ≤ ${figure.goal}`;
  return `${label} ${ms(mine)} ${figure.metric}   anchor ${ms(theirs)}   ratio ${ratio.toFixed(2)}${goal}`;
}
