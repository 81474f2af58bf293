import type { Context } from '../../context.js';
import { LANGUAGES, nameOfLanguage, toLanguageCode } from '../../contract/languages.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { createProgress } from '../../io/terminal/progress.js';
import { installLanguage } from '../../local/languages/install-language.js';
import { languageFolderOf } from '../../local/languages/language-folder.js';
import { listInstalled } from '../../local/languages/list-installed.js';
import { canServe, INSTALL_OPTIONAL } from '../../local/missing-packages.js';

/** Said in place of the next command where nothing reads the language yet. */
const WITHOUT_SERVICE = `The service on this machine, which reads it, is not installed: ${INSTALL_OPTIONAL}`;

export interface InstallOptions {
  /** Codes, or what else languages are called. */
  languages: string[];
}

/**
 * Installs the data of languages for the service on this machine, which reads them at once.
 * @throws OcrError NOT_FOUND for a language without data; UNREACHABLE, INSTALL_FAILED
 */
export async function install(context: Context, { languages }: InstallOptions): Promise<void> {
  const { directories, env, output, signal } = context;
  const { dataDir } = await directories();
  const folder = languageFolderOf(dataDir);
  const codes = [...new Set(languages.map((word) => findCode(word, folder)))];
  const installed = await listInstalled(dataDir, env);
  for (const code of codes) {
    const name = `${nameOfLanguage(code)} (${code})`;
    if (installed.includes(code)) {
      output.note(`${name} is installed already.`);
      continue;
    }
    const progress = createProgress(context);
    progress.update(`Installing ${name}`);
    await installLanguage(code, folder, { env, signal }).finally(() => progress.stop());
    const next = canServe() ? `It can be read from now on: ocr extract -l ${code} file.pdf` : WITHOUT_SERVICE;
    output.note(`Installed ${name}. ${next}`);
  }
  if (output.isJson) await output.json(codes.map((code) => ({ code, name: nameOfLanguage(code), installed: true })));
}

/** @throws OcrError NOT_FOUND, USAGE for a word that cannot be a code */
function findCode(word: string, folder: string): string {
  const code = toLanguageCode(word);
  if (code !== undefined) return code;
  if (!/^[A-Za-z]\w*$/.test(word)) throw new OcrError('USAGE', `"${word}" is no code of a language`);
  const near = suggest(
    word,
    LANGUAGES.flatMap((known) => [known.code, known.name]),
  );
  throw new OcrError('NOT_FOUND', `There is no data for a language "${word}"`, {
    status: 404,
    hint:
      near === undefined
        ? `List the languages: ocr languages\nData of your own: put ${word}.traineddata into ${folder}`
        : `Did you mean ${near}?`,
  });
}
