import { findNativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';
import { LANGUAGE_FOLDERS_VARIABLE, listLanguages } from '../../engine/stages/recognise/languages.js';
import { languageFolderOf } from './language-folder.js';

/** Lists the codes of the languages that this machine's service can read, sorted. */
export async function listInstalled(dataDir: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const native = await findNativeTesseract(env);
  return listLanguages(native, { ...env, [LANGUAGE_FOLDERS_VARIABLE]: languageFolderOf(dataDir) });
}
