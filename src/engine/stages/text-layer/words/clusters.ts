import { boundsOfObject } from '../../../pdf-files/pdfium/object-bounds.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';

/** Letters and signs that are printed as one, with the text that the PDF gives for all of them. */
export interface Cluster {
  /** Place on the displayed page, in points. */
  x0: number;
  x1: number;
  /** The text object that PDFium gave the cluster's text for. */
  object?: number;
}

/** The cluster that a text object belongs to. */
export type ClusterReader = (object: number) => Cluster | undefined;

const TEXT = 1;
const MAX_OBJECTS = 20_000;
/** Bytes of an ActualText in UTF-16: a longer one is a word or a line. */
const MAX_ACTUAL_TEXT_BYTES = 26;

/** True for scripts of India and South-East Asia: their signs stand around their letters. */
export const isClustered = (code: number): boolean =>
  (code >= 0x900 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800);

/**
 * Finds the cluster that a text object belongs to. Browsers print each cluster as a span with its ActualText, of one
 * object or several. PDFium gives the text again where an object of another span comes between them, and takes the
 * first glyph's width for the whole, so that a space seems to follow.
 */
export function createClusterReader(pdfium: Pdfium, page: number, frame: PageFrame): ClusterReader {
  let clusters: ReadonlyMap<number, Cluster> | undefined;
  return (object) => {
    clusters ??= readClusters(pdfium, page, frame);
    return clusters.get(object);
  };
}

/** Clusters by text object. */
function readClusters(pdfium: Pdfium, page: number, frame: PageFrame): Map<number, Cluster> {
  const scratch = pdfium._malloc(32);
  const key = scratch + 16;
  pdfium.HEAPU8.set(Buffer.from('ActualText\0'), key);
  const byMark = new Map<number, Cluster>();
  const byObject = new Map<number, Cluster>();
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let index = 0; index < count; index++) {
    const object = pdfium._FPDFPage_GetObject(page, index);
    if (pdfium._FPDFPageObj_GetType(object) !== TEXT) continue;
    const marks = pdfium._FPDFPageObj_CountMarks(object);
    if (marks < 1) continue;
    // The innermost mark is the last.
    const mark = pdfium._FPDFPageObj_GetMark(object, marks - 1);
    if (pdfium._FPDFPageObjMark_GetParamStringValue(mark, key, 0, 0, scratch) === 0) continue;
    if ((pdfium.HEAP32[scratch >> 2] ?? 0) > MAX_ACTUAL_TEXT_BYTES) continue;
    const bounds = boundsOfObject(pdfium, object);
    if (bounds === undefined) continue;
    const { x0, x1 } = frame.place(...bounds);
    const cluster = byMark.get(mark) ?? { x0, x1 };
    cluster.x0 = Math.min(cluster.x0, x0);
    cluster.x1 = Math.max(cluster.x1, x1);
    byMark.set(mark, cluster);
    byObject.set(object, cluster);
  }
  pdfium._free(scratch);
  return byObject;
}
