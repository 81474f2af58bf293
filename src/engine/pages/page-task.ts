import type { LaidPage } from '../layout/classify.js';
import type { RecognitionPlan } from '../recognise/recogniser.js';

/** What a page worker is asked. */
export type WorkerRequest = { kind: 'recognise'; task: PageTask; timeoutMs: number } | { kind: 'release' };

export interface PageTask {
  path: string;
  mimeType: string;
  password: string | undefined;
  /** From 1. */
  page: number;
  plan: RecognitionPlan;
  maxPixels: number;
}

/** What it answers to `recognise`; before that, what stands if the page's time is over before it has the answer. */
export type WorkerAnswer =
  | { kind: 'interim'; page: RecognisedPage }
  | { kind: 'done'; page: RecognisedPage }
  | { kind: 'failed'; message: string };

/** In the page's own units (points, or the image's pixels). */
export interface RecognisedPage extends LaidPage {
  rotation: number;
  provider: string;
  /** What was wrong with the picture, for people, though it was read. */
  warning?: string;
}
