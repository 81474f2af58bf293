import type { Block } from './document.js';

/** A text of the document that runs on over columns and pages: that of its pages, of its notes, or of what stands between two parts of a sentence. */
export type Stream = 'pages' | 'notes' | 'floats';

/** The text that a block is a part of; undefined for headers and footers. */
export function streamOf({ kind, floats }: Block): Stream | undefined {
  if (kind === 'header' || kind === 'footer') return undefined;
  if (kind === 'footnote') return 'notes';
  return floats ? 'floats' : 'pages';
}
