import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { useBuiltSources } from './test/support/built-sources.js';
import { FileOrder } from './test/support/file-order.js';
import { createSummaryReporter } from './test/support/summary-reporter.js';

// `npm test` runs every file except *.long.test.ts; `npm run test:long` (--mode long) runs those alone. Nothing runs twice.
// Processes and workers run from dist/, so `npm test` builds first; `test:long` builds when dist/ is older than src/.
export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  // Given to each project: what extends this file is read anew, without the mode.
  const filesIn = (folders: string) => ({
    // Patience with a busy machine: what is right ends earlier.
    testTimeout: isLong ? 900_000 : 120_000,
    expect: { poll: { timeout: isLong ? 120_000 : 60_000 } },
    // Tests wait for polls, time limits and ends of processes, so that one more than the two cores of CI is busy. With more,
    // documents get so little of a core that time limits of the product pass.
    maxWorkers: 3,
    include: [`test/${folders}/**/*${isLong ? '.long' : ''}.test.ts`],
    exclude: isLong ? [] : ['**/*.long.test.ts'],
  });
  return {
    plugins: [useBuiltSources()],
    test: {
      reporters: ['default', createSummaryReporter()],
      hookTimeout: 120_000,
      globalSetup: ['./test/support/temporary-directory.ts', './test/support/build-when-stale.ts'],
      // Recognition answers from test/fixtures/readings; READINGS=engine runs the real engine, READINGS=record also keeps what it read.
      execArgv: ['--require', fileURLToPath(new URL('./test/support/recorded-readings/replay.cjs', import.meta.url))],
      // Node loads dist/ itself: transforming it for each file took a third of the time before its tests.
      server: { deps: { external: [/\/dist\//] } },
      // Files share a few processes, one after the other: starting one for each file takes longer than most of them.
      isolate: false,
      sequence: { shuffle: { files: true, tests: true }, sequencer: FileOrder },
      projects: [
        { extends: true, test: { name: 'processes', ...filesIn('{contract,e2e}') } },
        { extends: true, test: { name: 'unit', ...filesIn('{unit,fuzz}') } },
      ],
    },
  };
});
