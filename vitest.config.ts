import { defineConfig } from 'vitest/config';
import { createSummaryReporter } from './test/support/summary-reporter.js';

// Tests run against dist/ wherever a process or a worker is started, so `npm test` builds first.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', createSummaryReporter()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { shuffle: { files: true, tests: true } },
  },
});
