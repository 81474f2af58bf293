import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DocumentError } from '../document-error.js';
import type { LanguageModel } from './recogniser.js';

/** What is installed with this tool. */
const DEFAULT_LANGUAGES = ['eng'];
/** The variants of a data package, best first: best_int reads as well as the larger best, and faster. */
const VARIANTS = ['4.0.0_best_int', '4.0.0_fast', '4.0.0'];
const SYSTEM_FOLDERS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

/**
 * The data of the languages asked for: from npm packages `@tesseract.js-data/<code>`, else from the system's tessdata
 * folders (TESSDATA_PREFIX first). Throws DocumentError `invalid-argument` at /languages, naming what to install.
 */
export function findLanguages(languages: readonly string[] = DEFAULT_LANGUAGES): LanguageModel[] {
  return languages.map((language) => {
    const path = findLanguage(language);
    if (path !== undefined) return { language, path };
    throw new DocumentError(
      'invalid-argument',
      `the language "${language}" is not installed: install the npm package @tesseract.js-data/${language} beside this ` +
        `tool, or ${language}.traineddata into the system's tessdata folder (Debian: tesseract-ocr-${language.replaceAll('_', '-')})`,
      { pointer: '/languages' },
    );
  });
}

function findLanguage(language: string): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
    for (const variant of VARIANTS) {
      const path = join(folder, variant, `${language}.traineddata.gz`);
      if (existsSync(path)) return path;
    }
  } catch {
    // No such package: the system may have the data.
  }
  return listLanguageFolders(process.env)
    .map((folder) => join(folder, `${language}.traineddata`))
    .find((path) => isThere(path));
}

/** A document process may look into these folders alone; where one is missing, Node 20 refuses the look itself. */
function isThere(path: string): boolean {
  try {
    return existsSync(path);
  } catch {
    return false;
  }
}

/** Where the system may have language data; TESSDATA_PREFIX first. */
export function listLanguageFolders(env: NodeJS.ProcessEnv): string[] {
  const prefix = env.TESSDATA_PREFIX;
  return prefix === undefined || prefix === '' ? SYSTEM_FOLDERS : [prefix, join(prefix, 'tessdata'), ...SYSTEM_FOLDERS];
}
