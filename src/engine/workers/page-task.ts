import type { PageContent } from '../model/page.js';
import type { RecognitionPlan } from '../stages/recognise/recogniser.js';

/** A page to be recognised. */
export interface PageTask {
  path: string;
  mimeType: string;
  password: string | undefined;
  /** From 1. */
  page: number;
  plan: RecognitionPlan;
  maxPixels: number;
}

/** In the page's own units (points, or the image's pixels). */
export interface RecognisedPage {
  content: PageContent;
  rotation: number;
  provider: string;
  /** What was wrong with the picture, for people, though it was read. */
  warning?: string;
}
