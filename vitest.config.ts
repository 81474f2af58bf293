import { defineConfig } from 'vitest/config';
import { FileOrder } from './test/support/file-order.js';
import { createSummaryReporter } from './test/support/summary-reporter.js';

// Tests run against dist/ wherever a process or a worker is started, so `npm test` builds first.
export default defineConfig({
  test: {
    reporters: ['default', createSummaryReporter()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Twice as many as two cores: much of the time is waiting, for polls, time limits and the ends of processes.
    maxWorkers: 4,
    // Node loads what is built by itself: to have it transformed for each file took a third of the time before its tests.
    server: { deps: { external: [/\/dist\//] } },
    // In the same few processes one after the other: to begin one for each file takes longer than most of them.
    isolate: false,
    sequence: { shuffle: { files: true, tests: true }, sequencer: FileOrder },
    projects: [
      { extends: true, test: { name: 'processes', include: ['test/{contract,e2e}/**/*.test.ts'] } },
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
    ],
  },
});
