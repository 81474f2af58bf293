import { OcrError } from '../../contract/ocr-error.js';
import { findNativeTesseract, type NativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';
import { listLanguages } from '../../engine/stages/recognise/languages.js';

export const OCR_ENGINES = ['auto', 'native', 'wasm'];

/** The recognition engine of this service, fixed at its start. */
export interface ServiceRecognition {
  native?: NativeTesseract;
  /** Part of the cache key, because two engines read the same page differently. */
  engine: string;
  /** Languages with data on this machine. */
  languages: string[];
}

/**
 * Chooses the recognition engine. `auto` takes native Tesseract when it is on PATH, because it is faster, else the built-in one.
 * @throws OcrError CONFIG_INVALID for `native` without an installation
 */
export async function chooseRecognition(choice: string, env: NodeJS.ProcessEnv): Promise<ServiceRecognition> {
  const native = choice === 'wasm' ? undefined : await findNativeTesseract(env);
  if (native === undefined && choice === 'native') {
    throw new OcrError('CONFIG_INVALID', 'ocrEngine is native, but no tesseract of version 4.1 or later is on PATH', {
      hint: 'Install it (Debian: apt install tesseract-ocr; macOS: brew install tesseract), or choose ocrEngine auto',
    });
  }
  const languages = listLanguages(native);
  return native === undefined
    ? { engine: 'tesseract-wasm', languages }
    : { native, engine: `tesseract ${native.version}`, languages };
}
