import { createHash } from 'node:crypto';
import { OcrError } from '../../contract/ocr-error.js';
import { findNativeTesseract, type NativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';
import { describeLanguageFolders, listLanguages } from '../../engine/stages/recognise/languages.js';
import { readEngineVersion } from '../../functions/engine-version.js';
import { unpackLanguageData } from './unpack-language-data.js';

export const OCR_ENGINES = ['auto', 'native', 'wasm'];

/** The recognition of this service. Its engine is fixed at the start; languages may be installed while it runs. */
export interface ServiceRecognition {
  native?: NativeTesseract;
  engine: string;
  /** Returns a digest of all of this machine that results depend on: its version, recognition engine and languages. */
  identify(): string;
  /** Returns the languages with data on this machine, sorted. */
  listLanguages(): readonly string[];
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
  if (native !== undefined) await unpackLanguageData();
  const listLanguages = createLanguageList(native);
  // Two engines read the same page differently.
  const engine = native === undefined ? 'tesseract-wasm' : `tesseract ${native.version}`;
  const version = readEngineVersion();
  const identify = () => createHash('sha256').update(`${version}\n${engine} ${listLanguages().join()}`).digest('hex');
  return { ...(native === undefined ? {} : { native }), engine, identify, listLanguages };
}

/** Time for which the folders are not looked at again: a dozen of them cost as much as a statement of the store. */
const LOOK_EVERY_MS = 100;

/** Lists the languages again when one of their folders has changed. */
function createLanguageList(native: NativeTesseract | undefined): () => readonly string[] {
  let known: { state: string; languages: readonly string[] } | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (known !== undefined && performance.now() < lookedAt + LOOK_EVERY_MS) return known.languages;
    lookedAt = performance.now();
    const state = describeLanguageFolders();
    if (known?.state !== state) known = { state, languages: listLanguages(native) };
    return known.languages;
  };
}
