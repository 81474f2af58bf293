import { selectPages } from '../../engine/select-pages.js';
import type { TextLayerSample } from '../../engine/stages/text-layer/sample-text-layers.js';
import type { OcrFunction } from '../../functions/function.js';
import { type Effort, LANES, type Lane, nextLane } from '../../store/lanes.js';
import { HEAD_START_MS } from '../../store/turns.js';

/** Time of a page in milliseconds, on a core of 2020: with a text layer, and to be recognised. */
const TEXT_PAGE_MS = 15;
/** Time of a word or a drawn path of a page with a text layer. Of 251 public PDFs few have pages with more than 500 of them. */
const ELEMENT_MS = 0.03;
const PICTURE_PAGE_MS = 1_500;
/** Time up to which a document counts as brief, as text, as a short and as a medium recognition. */
const MAX_BRIEF_MS = 500;
const MAX_TEXT_MS = 30_000;
const MAX_SHORT_MS = 5_000;
const MAX_MEDIUM_MS = 60_000;
/**
 * Bounds on one run in each lane. A longer run proves its estimate wrong. Each bound is several times the lane's time, because
 * documents share the cores. In the lanes of calls, brief and short, it is less than a caller waits for an answer.
 */
const MAX_RUN_MS: Readonly<Record<Lane, number>> = {
  [LANES.brief]: 5_000,
  [LANES.text]: 60_000,
  [LANES.short]: 20_000,
  [LANES.medium]: 300_000,
  [LANES.long]: Infinity,
  [LANES.heavy]: Infinity,
};
/** Part of a page that counts as done while the page is being read. */
const BEGUN_PAGE_SHARE = 0.5;
/** Bound on the time by which others may overtake a document, so that none waits for ever; as long as a head start. */
const MAX_DELAY_MS = HEAD_START_MS;

/** A document whose pages are counted. */
export interface CountedDocument {
  args: Readonly<Record<string, unknown>>;
  pageCount: number;
  /** Facts of some of its pages; undefined where nobody looked. */
  sample: TextLayerSample | undefined;
}

const UNSEEN: TextLayerSample = { pictureShare: 1, elementsPerPage: 0 };

/** An uncounted document runs at once and for a moment: it is counted, and then waits in the lane that it belongs to. */
export const UNCOUNTED: Effort = { lane: LANES.brief, delayMs: 0 };

/** Estimates what a document takes, from its pages and the function. */
export function estimateEffort(target: OcrFunction | undefined, document: CountedDocument): Effort {
  const pages = countRequested(document);
  const fixedMs = target?.unrecognisedPageMs;
  if (fixedMs !== undefined) return toEffort(pages * fixedMs, false);
  const { pictureShare, elementsPerPage } = document.sample ?? UNSEEN;
  const { ocr } = document.args;
  const share = ocr === 'never' ? 0 : ocr === 'force' ? 1 : pictureShare;
  const pictures = Math.ceil(pages * share);
  const textPageMs = Math.max(TEXT_PAGE_MS, elementsPerPage * ELEMENT_MS);
  return toEffort(pages * textPageMs + pictures * PICTURE_PAGE_MS, pictures > 0);
}

/** True for a lane of documents whose callers wait for the answer. */
export function isLaneOfCalls(lane: Lane): boolean {
  return lane === LANES.brief || lane === LANES.short;
}

/** Returns the time after which a run takes too long for its lane. */
export function limitRunMs(lane: Lane): number {
  return MAX_RUN_MS[lane];
}

/** A run that takes longer than its lane is for. */
export interface OverlongRun {
  lane: Lane;
  passedMs: number;
  pagesDone: number;
  /** The pages that it reads. */
  pageCount: number;
}

/** Estimates what an overlong run takes in all, by its progress. The lane is a longer one than before. */
export function correctEffort({ lane, passedMs, pagesDone, pageCount }: OverlongRun): Effort {
  const effort = toEffort((passedMs * pageCount) / (pagesDone + BEGUN_PAGE_SHARE), true);
  return { ...effort, lane: effort.lane > lane ? effort.lane : nextLane(lane) };
}

/** Returns the effort of a document of which no more is known than that it takes too long for its lane. */
export function describeOverlong(lane: Lane): Effort {
  return { lane: nextLane(lane), delayMs: Math.min(MAX_DELAY_MS, limitRunMs(lane)) };
}

/** True when a look at the pages can change the estimate. */
export function isLookWorthwhile(target: OcrFunction | undefined, args: CountedDocument['args']): boolean {
  return target?.unrecognisedPageMs === undefined && args.ocr !== 'force';
}

function countRequested({ args, pageCount }: CountedDocument): number {
  if (typeof args.pages !== 'string') return pageCount;
  try {
    return selectPages(args.pages, pageCount).length;
  } catch {
    // Its count refuses such pages, or the function does: they are no reason to refuse it here.
    return pageCount;
  }
}

function toEffort(ms: number, isRecognised: boolean): Effort {
  const delayMs = Math.min(MAX_DELAY_MS, Math.round(ms));
  if (!isRecognised && ms <= MAX_BRIEF_MS) return { lane: LANES.brief, delayMs };
  if (!isRecognised && ms <= MAX_TEXT_MS) return { lane: LANES.text, delayMs };
  if (ms <= MAX_SHORT_MS) return { lane: LANES.short, delayMs };
  return { lane: ms <= MAX_MEDIUM_MS ? LANES.medium : LANES.long, delayMs };
}
