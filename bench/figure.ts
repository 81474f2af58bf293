import type { Command } from './measure.js';

/** One figure that we claim: our command beside its baseline, in one run, as a ratio. */
export interface Figure {
  name: string;
  metric: 'wall' | 'cpu' | 'memory';
  ours: Command;
  /** A string says why there is no baseline on this machine. */
  baseline: Command | string;
  /** The ratio ours/baseline that we want to stay under. */
  goal?: number;
  runs?: number;
}

export interface Suite {
  figures: Figure[];
  /** Ends what the suite started. */
  stop?(): Promise<void>;
}
