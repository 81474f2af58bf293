import type { PageContent } from '../model/page.js';
import type { RecognitionPlan } from '../stages/recognise/recogniser.js';
import type { UnreadPicture } from '../stages/text-layer/unread-pictures.js';

/** A page to recognise, or a picture on it. */
export interface PageTask {
  path: string;
  mimeType: string;
  password: string | undefined;
  /** Number of the page, from 1. */
  page: number;
  plan: RecognitionPlan;
  maxPixels: number;
  /** The picture on the page of a PDF that is read alone. */
  picture?: UnreadPicture;
}

/** The result for a page, or a picture, in the page's own units (points, or pixels of the image). */
export interface RecognisedPage {
  content: PageContent;
  rotation: number;
  provider: string;
  /** Warning for users about a picture that was read. */
  warning?: string;
}
