// npm run bench [-- <suite> …] [file …]: every figure that we claim, beside a baseline measured in the same run.
// Suites that take long (memory, scan-quality, soak, fairness, fleet, waiting, portal) run only when they are named. Files replace the documents that
// pages, scans, memory and scan-quality (a folder) would make. layout reads the documents of its manifest from
// `--documents DIR`; `--kinds predicate,function` and `--only headings/` choose among its rules. letters trains the letters of
// machine-readable zones anew, fit-handwriting the weights that tell handwriting from print; handwriting prints what they leave out.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { batch } from './batch.js';
import { printClaims } from './claim.js';
import { printConfinement } from './confinement.js';
import { extract } from './extract.js';
import { printFairness } from './fairness.js';
import type { Figure, Suite } from './figure.js';
import { printFleet } from './fleet.js';
import { fitHandwriting, printHandwriting } from './handwriting.js';
import { printInstallSizes } from './install-size.js';
import { printLayoutRules } from './layout.js';
import { trainLetters } from './letters.js';
import { type Command, compare, withMemoryProbe } from './measure.js';
import { printMemory } from './memory.js';
import { printPageCounts } from './page-counts.js';
import { pages } from './pages.js';
import { printPortal } from './portal.js';
import { printScanQuality } from './scan-quality.js';
import { scans } from './scans.js';
import { printServiceFigures } from './service.js';
import { printSoak } from './soak.js';
import { startUp } from './start-up.js';
import { upload } from './upload.js';
import { printWaiting } from './waiting.js';

const SUITES: Record<string, (files: string[]) => Suite | Promise<Suite>> = {
  'start-up': startUp,
  ...{ upload, batch, extract, pages, scans },
};
/** Figures that are no commands beside commands. */
const PRINTED: Record<string, () => void | Promise<void>> = {
  service: printServiceFigures,
  claim: printClaims,
  confinement: printConfinement,
  'install-size': printInstallSizes,
  'page-counts': printPageCounts,
};
/** Only where they are asked for by name: they take long. */
const LONG: Record<string, (files: string[]) => Promise<void>> = {
  memory: printMemory,
  'scan-quality': printScanQuality,
  soak: printSoak,
  fairness: printFairness,
  fleet: printFleet,
  waiting: printWaiting,
  portal: printPortal,
  letters: trainLetters,
  'fit-handwriting': fitHandwriting,
  handwriting: printHandwriting,
  layout: async () => {
    const { documents, kinds, only } = options;
    if (documents === undefined)
      throw new Error('layout needs --documents DIR: the folder of the documents in bench/layout-documents.json');
    await printLayoutRules({ documents, ...(kinds && { kinds: kinds.split(',') }), ...(only && { only }) });
  },
};
const DEFAULT_RUNS = 11;
const MIB = 1024 * 1024;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { documents: { type: 'string' }, kinds: { type: 'string' }, only: { type: 'string' } },
});
const isKnown = (name: string) => [SUITES, PRINTED, LONG].some((known) => name in known);
const files = positionals.filter((name) => !isKnown(name) && existsSync(name));
const wanted = positionals.filter((name) => !files.includes(name));
const unknown = wanted.filter((name) => !isKnown(name));
if (unknown.length > 0) {
  console.error(
    `no such figures: ${unknown.join(', ')}. There are: ${[SUITES, PRINTED, LONG].flatMap((known) => Object.keys(known)).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  for (const [name, open] of Object.entries(SUITES)) {
    if (wanted.length === 0 || wanted.includes(name)) await runSuite(name, await open(files));
  }
  for (const [name, printFigures] of Object.entries(PRINTED)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${name}`);
    await printFigures();
  }
  for (const name of wanted) await LONG[name]?.(files);
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
  const label = figure.name.padEnd(58);
  if (typeof figure.baseline === 'string') return `${label} not measured: ${figure.baseline}`;
  const isMemory = figure.metric === 'memory';
  const [our, their] = [figure.ours, figure.baseline].map((command) => (isMemory ? withMemoryProbe(command) : command));
  const { ours, baseline, ...ratios } = compare(our as Command, their as Command, figure.runs ?? DEFAULT_RUNS);
  const [mine, theirs, ratio] = {
    wall: [ours.wallMs, baseline.wallMs, ratios.wallRatio],
    cpu: [ours.cpuMs, baseline.cpuMs, ratios.cpuRatio],
    memory: [ours.peakMemoryBytes / MIB, baseline.peakMemoryBytes / MIB, ratios.memoryRatio],
  }[figure.metric] as [number, number, number];
  const show = (value: number) => `${value.toFixed(0).padStart(6)} ${isMemory ? 'MiB' : 'ms'}`;
  const goal = figure.goal === undefined ? '' : `   goal ≤ ${figure.goal}`;
  return `${label} ${show(mine)} ${figure.metric}   baseline ${show(theirs)}   ratio ${ratio.toFixed(2)}${goal}`;
}
