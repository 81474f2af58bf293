import type { Suite } from './figure.js';
import { createHome } from './ocr-command.js';

/** What starting the tool costs beside starting Node itself. */
export function startUp(): Suite {
  const home = createHome();
  const anchor = { file: process.execPath, args: ['-e', '0'] };
  const figure = (name: string, goal: number) => ({
    name,
    goal,
    anchor,
    metric: 'cpu' as const,
    ours: home.ocr(name),
    runs: 21,
  });
  return {
    figures: [figure('--version', 1.15), figure('--help', 1.4)],
    stop: async () => home.remove(),
  };
}
