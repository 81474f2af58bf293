import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one line that a script can read: `N passed, N failed, N skipped`. */
export function createSummaryReporter(): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[], errors) {
      const count = { passed: 0, failed: errors.length, skipped: 0 };
      for (const module of modules) {
        if (module.errors().length > 0) count.failed++;
        for (const test of module.children.allTests()) {
          const { state } = test.result();
          if (state === 'passed' || state === 'failed') count[state]++;
          else count.skipped++;
        }
      }
      // After everything that the other reporters still have to say.
      process.once('exit', () => {
        process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
      });
    },
  };
}
