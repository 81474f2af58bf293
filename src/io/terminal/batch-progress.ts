import type { Clock } from '../../contract/clock.js';
import type { DocumentState } from '../../contract/document-state.js';
import { formatElapsed, formatRoughly } from '../../contract/duration.js';
import type { LineParts } from './fit-line.js';
import type { Progress } from './progress.js';

/** The documents of a command on the line of progress. */
export interface BatchProgress {
  /** Notes the state of a document; documents are told apart by `key`. */
  note(key: number, name: string, state: DocumentState): void;
  /** Counts a document that has ended. */
  countEnded(key: number, hasFailed: boolean): void;
  /** Shows what the command does while there is no document. */
  idle(): void;
}

export interface BatchProgressOptions {
  /** Number of documents; undefined where nobody knows how many will come. */
  total: number | undefined;
  clock: Pick<Clock, 'monotonicMs'>;
  /** The words of the line while there is no document. */
  idle?: string;
}

/** The phases of which one document is shown, the most telling first. A waiting document of several is never named. */
const SHOWN_PHASES = ['reading', 'held-up', 'busy'] as const;
/** Time of work from which the rest is estimated; less says nothing. */
const MIN_ESTIMATE_MS = 2_000;

interface KnownDocument {
  name: string;
  state: DocumentState;
}

/** Says how many documents are done, which one is read, how long it has taken and how long the rest will probably take. */
export function createBatchProgress(
  progress: Progress,
  { total, clock, idle = '' }: BatchProgressOptions,
): BatchProgress {
  const startMs = clock.monotonicMs();
  const documents = new Map<number, KnownDocument>();
  let [done, failed] = [0, 0];
  /** The start of the estimate: the first moment in which a document was read. */
  let base: { atMs: number; read: number } | undefined;

  /** Returns the documents that are read, with the parts of those that are being read. */
  const countRead = () => {
    let read = done;
    for (const { state } of documents.values()) read += shareRead(state);
    return read;
  };
  const estimate = (): string[] => {
    if (base === undefined || total === undefined) return [];
    const [tookMs, read] = [clock.monotonicMs() - base.atMs, countRead()];
    if (tookMs < MIN_ESTIMATE_MS || read <= base.read || read >= total) return [];
    return [`about ${formatRoughly((tookMs * (total - read)) / (read - base.read))} left`];
  };
  const describe = (): LineParts => {
    const extras = [formatElapsed(clock.monotonicMs() - startMs), ...estimate()];
    const found = chooseShown([...documents.values()]);
    if (total === 1) return { head: '', name: found?.name ?? '', words: found?.state.words ?? '', extras };
    const count = `${done}${total === undefined ? '' : ` of ${total}`} done${failed > 0 ? `, ${failed} failed` : ''}`;
    if (found === undefined) return { head: count, name: '', words: idle, extras: idle === '' ? extras : [] };
    const name = found.state.phase === 'waiting' ? '' : found.name;
    return { head: count, name, words: found.state.words, extras };
  };
  return {
    idle: () => progress.show(describe),
    note(key, name, state) {
      documents.set(key, { name, state });
      if (state.phase === 'reading') base ??= { atMs: clock.monotonicMs(), read: countRead() };
      progress.show(describe);
    },
    countEnded(key, hasFailed) {
      // A document that was answered at once had no state of being read. Failures take no time, and tell nothing of the rest.
      if (!hasFailed) base ??= { atMs: startMs, read: done };
      else if (base !== undefined) base.read++;
      documents.delete(key);
      done++;
      if (hasFailed) failed++;
      progress.show(describe);
    },
  };
}

function shareRead({ pages }: DocumentState): number {
  return pages === undefined || pages.count === 0 ? 0 : Math.min(1, pages.done / pages.count);
}

/** Chooses the document that the line names: the earliest of the most telling phase. */
function chooseShown(documents: readonly KnownDocument[]): KnownDocument | undefined {
  for (const phase of SHOWN_PHASES) {
    const found = documents.find(({ state }) => state.phase === phase);
    if (found !== undefined) return found;
  }
  return documents[0];
}
