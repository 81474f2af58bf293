import type { OcrError } from '../../contract/ocr-error.js';
import type { InputSource } from './open-input.js';

/** An input of a command, with one line of output. A file of a directory has a path that begins with the directory's name. */
export interface ListedInput extends InputSource {
  /** Path below the named directory, with `/`; undefined for an input that is named itself. */
  below: string | undefined;
  /** The reason that it cannot be sent. */
  error?: OcrError;
}
