import type { PageBlock } from '../../../model/page.js';

/** The type of a document that tells its headings: what most of its text is set in, and what its headings are set in. */
export interface HeadingScale {
  bodySize: number;
  bodyBold: boolean;
  /** By type (numbered titles are one): the level of its headings, the least depth of their numbers (1 for "3", 2 for "3.1"). */
  levels: Map<string, { level: number; leastDepth: number }>;
  /** Types that paragraphs are set in, the body's and others: a short block in them is no heading. */
  proseTypes: ReadonlySet<string>;
  /** Titles that their type does not tell, by the depth that their numbers say; 0 without a number. */
  placedTitles: ReadonlyMap<PageBlock, number>;
}
