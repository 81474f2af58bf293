import { OcrError } from '../../contract/ocr-error.js';
import { findNativeTesseract, type NativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';
import { listLanguages } from '../../engine/stages/recognise/languages.js';

export const OCR_ENGINES = ['auto', 'native', 'wasm'];

/** Who recognises in this service, from its start to its end. */
export interface ServiceRecognition {
  native?: NativeTesseract;
  /** Tells results apart in the cache: two engines read the same page differently. */
  engine: string;
  /** Whose data is on this machine. */
  languages: string[];
}

/**
 * `auto` takes native Tesseract where it is on PATH, since it is faster, and what is built in elsewhere.
 * @throws OcrError CONFIG_INVALID where `native` is asked for and there is none
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
