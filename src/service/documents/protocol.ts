import type { DocumentErrorReason } from '../../engine/model/document-error.js';
import type { NativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';

/** What a document process is asked to do; it does one thing at a time. */
export type Task =
  | {
      type: 'count-pages';
      path: string;
      mimeType: string;
      password: string | undefined;
      /** Which of them are wanted: refused where they are not there. */
      pages: string | undefined;
      maxPixels: number;
    }
  | {
      type: 'run';
      function: string;
      path: string;
      mimeType: string;
      args: Record<string, unknown>;
      maxPixels: number;
      /** Of the JSON text of the result. */
      maxResultBytes: number;
      parallelism: number;
      native?: NativeTesseract;
    };

/** What it says while it works and when it is done. */
export type Report =
  | { type: 'progress'; pagesDone: number; pageCount: number }
  | { type: 'usage'; rssBytes: number }
  | { type: 'counted'; pageCount: number }
  /** `body` is the JSON text of the result: the service stores and sends it without looking into it. */
  | { type: 'done'; body: string; provider: string; pageCount: number }
  | { type: 'refused'; reason: DocumentErrorReason; message: string; pointer: string | undefined }
  /** A fault of ours, not of the document's. */
  | { type: 'fault'; message: string };

/** What became of a task. */
export type Outcome =
  | Extract<Report, { type: 'counted' | 'done' | 'refused' | 'fault' }>
  | { type: 'died'; cause: 'crash' | 'timeout' | 'no-progress' | 'memory'; message: string }
  /** No process could be started, or the pool is stopping: nothing is known about the document. */
  | { type: 'unavailable'; message: string };
