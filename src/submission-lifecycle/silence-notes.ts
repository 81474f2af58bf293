import { formatDuration } from '../contract/duration.js';

export interface SilenceNotesOptions {
  /** True where a line of progress says it. */
  isShown: boolean;
  waitTimeoutMs: number;
  print: (line: string) => void;
}

/** Says once for each service that it does not answer, where no line of progress does. */
export function createSilenceNotes({ isShown, waitTimeoutMs, print }: SilenceNotesOptions) {
  const noted = new Set<string | undefined>();
  return (serverId: string | undefined, name: string, words: string): void => {
    if (isShown || noted.has(serverId)) return;
    noted.add(serverId);
    print(`${name}: ${words}. Waiting for ${formatDuration(waitTimeoutMs)} at most without an answer.`);
  };
}
