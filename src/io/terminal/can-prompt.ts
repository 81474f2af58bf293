import type { PromptOptions } from './prompt-secret.js';

export interface Asker {
  io: Pick<PromptOptions, 'stdin' | 'stderr'>;
  flags: { input: boolean };
}

/** True when a person can be asked: there is a terminal to read from and one to ask on, and no flag forbids it. */
export const canPrompt = ({ io, flags }: Asker): boolean =>
  flags.input && io.stdin.isTTY === true && io.stderr.isTerminal;
