import type { ServiceErrorCode } from '../../contract/error-codes.js';
import type { DocumentErrorReason } from '../../engine/model/document-error.js';
import type { PageToDraw, PictureForm } from '../../engine/products/page-pictures/draw-pages.js';
import type { NativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';
import type { TextLayerSample } from '../../engine/stages/text-layer/sample-text-layers.js';
import type { Effort } from '../../store/lanes.js';
import type { ExceededLimit } from './watch-limits.js';

/** A task of a document process, which performs one at a time. */
export type Task = DocumentTask & {
  /** True when the documents before were of another organisation. Nothing of them may be within reach of this one. */
  isOwnerNew?: boolean;
};

type DocumentTask =
  | {
      type: 'count-pages';
      path: string;
      mimeType: string;
      password: string | undefined;
      /** The requested pages. Pages outside the document are refused. */
      pages: string | undefined;
      maxPixels: number;
      /** True when the pages are looked at too: whether they need recognition. */
      looksAtPages?: boolean;
    }
  | {
      type: 'run';
      function: string;
      path: string;
      mimeType: string;
      args: Record<string, unknown>;
      maxPixels: number;
      /** Bound on the JSON text of the result. */
      maxResultBytes: number;
      parallelism: number;
      native?: NativeTesseract;
    }
  /** Its outcome is `done`; the body is the JSON text of DrawnPage[]. */
  | {
      type: 'draw-pages';
      path: string;
      mimeType: string;
      password?: string;
      pages: readonly PageToDraw[];
      maxPixels: number;
      form?: PictureForm;
    };

/** The picture of a page, in base64. */
export interface DrawnPage {
  page: number;
  width: number;
  height: number;
  bytes: string;
}

/** A message of a document process, during a task and at its end. */
export type Report =
  | { type: 'progress'; pagesDone: number; pageCount: number }
  | { type: 'usage'; rssBytes: number; cpuMs: number }
  /** `sample`: facts of some of the requested pages, where they were looked at. */
  | { type: 'counted'; pageCount: number; sample?: TextLayerSample }
  /** `body` is the JSON text of the result. The service stores and sends it without parsing. */
  | {
      type: 'done';
      body: string;
      provider: string;
      pageCount: number;
      confidence?: number | null;
      ranOutOfTime?: boolean;
    }
  | { type: 'refused'; reason: DocumentErrorReason; message: string; pointer: string | undefined }
  /** A fault of the service, not of the document. */
  | { type: 'fault'; message: string };

/** The outcome of a task. */
export type Outcome =
  | Extract<Report, { type: 'counted' | 'done' | 'refused' | 'fault' }>
  | { type: 'died'; cause: 'crash' | ExceededLimit; message: string }
  /** The service refuses the document itself: its pages cannot be counted, or are too many. */
  | { type: 'rejected'; code: ServiceErrorCode; message: string }
  /** The job was cancelled, and the process was ended for that. */
  | { type: 'cancelled' }
  /** The document takes longer than its slot is for. It waits for a slot of a longer lane, or for a worker. */
  | { type: 'postponed'; effort: Effort }
  /** No process could start, the pool is stopping, or memory is short. It says nothing about the document. */
  | { type: 'unavailable'; message: string; isHeavy?: boolean };
