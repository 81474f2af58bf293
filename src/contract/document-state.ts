/** The state of a document, for the line of progress. */
export interface DocumentState {
  /**
   * `waiting`: another document's turn; `busy`: this machine works on it or sends it; `held-up`: something that people
   * should know keeps it from going on; `reading`: the service reads it.
   */
  phase: 'waiting' | 'busy' | 'held-up' | 'reading';
  words: string;
  pages?: { done: number; count: number };
}

/** Statuses with which servers say that a job has not begun (contract, States and transitions, leaves the words open). */
const NOT_BEGUN = new Set(['queued', 'pending', 'waiting', 'created', 'accepted', 'submitted', 'scheduled']);

/** Returns the state of a document whose job has a status and, where the server counts them, pages. */
export function stateOfJob(status: string, progress?: { pagesDone: number; pageCount: number }): DocumentState {
  if (NOT_BEGUN.has(status)) return { phase: 'waiting', words: 'waiting for its turn' };
  if (progress === undefined) return { phase: 'reading', words: 'being read' };
  const { pagesDone, pageCount } = progress;
  // The pages of a document are counted when the first of them is read.
  const words = `page ${Math.max(1, pagesDone)} of ${pageCount}`;
  return { phase: 'reading', words, pages: { done: pagesDone, count: pageCount } };
}

/** Returns a state in which this machine works on the document. */
export function busy(words: string): DocumentState {
  return { phase: 'busy', words };
}

/** Returns a state in which the document cannot go on for now. */
export function heldUp(words: string): DocumentState {
  return { phase: 'held-up', words };
}
