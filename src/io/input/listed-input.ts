import type { OcrError } from '../../contract/ocr-error.js';
import type { InputSource } from './open-input.js';

/** An input of a command, with one line of output. A file of a directory has a path that begins with the directory's name. */
export interface ListedInput extends InputSource {
  /** Path below the named directory, with `/`; undefined for an input that is named itself. */
  below: string | undefined;
  /** The reason that it cannot be sent. */
  error?: OcrError;
}

/** A file of a directory that is not sent. */
export interface SkippedFile {
  input: string;
  /** Its media type, or what it is: `HTML page`, `link to a directory`. */
  skipped: string;
}

/** The inputs that the names on a command line stand for. */
export interface Listing {
  inputs: ListedInput[];
  /** Skipped files in their order; `position` is the number of inputs before one. */
  skipped: Array<SkippedFile & { position: number }>;
}
