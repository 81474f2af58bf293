import type { OcrError } from '../../contract/ocr-error.js';
import type { InputSource } from './open-input.js';

/** One line of output: as it was named; a file of a directory by its path with that directory's name as it was typed. */
export interface PlannedInput extends InputSource {
  /** Below the directory that was named, with `/`; undefined for an input that was named itself. */
  below: string | undefined;
  /** Why it cannot be sent at all. */
  error?: OcrError;
}
