import type { Reporter, TestModule } from 'vitest/node';

interface Failure {
  readonly message: string;
}

/** Ends the output with a line for each failure, and one that a script can read: `N passed, N failed, N skipped`. */
export function createSummaryReporter(): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[], errors) {
      const count = { passed: 0, skipped: 0 };
      const failures = errors.map((error) => describe('outside of tests', [error]));
      for (const module of modules) {
        if (module.errors().length > 0) failures.push(describe(module.relativeModuleId, module.errors()));
        for (const test of module.children.allTests()) {
          const { state, errors: ownErrors = [] } = test.result();
          if (state === 'passed') count.passed++;
          else if (state === 'failed')
            failures.push(describe(`${module.relativeModuleId}, ${test.fullName}`, ownErrors));
          else count.skipped++;
        }
      }
      // After everything that the other reporters still have to say.
      process.once('exit', () => {
        for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
        process.stdout.write(`${count.passed} passed, ${failures.length} failed, ${count.skipped} skipped\n`);
      });
    },
  };
}

/** One line: the place, and the first line of each error. */
function describe(place: string, errors: readonly Failure[]): string {
  return [place, ...errors.map(({ message }) => message.split('\n')[0])].join(': ');
}
