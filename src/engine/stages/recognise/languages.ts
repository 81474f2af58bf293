import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DocumentError } from '../../model/document-error.js';
import { type NativeTesseract, NO_LANGUAGES } from './find-native-tesseract.js';
import type { LanguageModel, RecognitionPlan } from './recogniser.js';

/** Languages that are installed with this package. */
const DEFAULT_LANGUAGES = ['eng'];
/** Variants in a data package, the best first: best_int reads as well as the larger best, and faster. */
const VARIANTS = ['4.0.0_best_int', '4.0.0_fast', '4.0.0'];
const SYSTEM_FOLDERS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

/**
 * Plans the recognition of documents in these languages. Their data comes from npm packages `@tesseract.js-data/<code>`, else
 * from the system's tessdata folders (TESSDATA_PREFIX first). Native Tesseract takes part if it has all of them.
 * Throws DocumentError `invalid-argument` at /languages, naming what to install, and for models that are not languages.
 */
export function planRecognition(
  languages: readonly string[] = DEFAULT_LANGUAGES,
  native?: NativeTesseract,
): RecognitionPlan {
  const noLanguage = languages.find((language) => NO_LANGUAGES.includes(language));
  if (noLanguage !== undefined)
    throw new DocumentError(
      'invalid-argument',
      `"${noLanguage}" is a model of Tesseract, but no language: name the document's`,
      { pointer: '/languages' },
    );
  const models: LanguageModel[] = [];
  const missing: string[] = [];
  for (const language of languages) {
    const path = findLanguage(language);
    if (path === undefined) missing.push(language);
    else models.push({ language, path });
  }
  if (native !== undefined && languages.every((language) => native.languages.includes(language))) {
    return { models: missing.length > 0 ? [] : models, native: { program: native.program, languages } };
  }
  const [language] = missing;
  if (language === undefined) return { models };
  throw new DocumentError(
    'invalid-argument',
    `the language "${language}" is not installed: install the npm package @tesseract.js-data/${language} beside this ` +
      `tool, or ${language}.traineddata into the system's tessdata folder (Debian: tesseract-ocr-${language.replaceAll('_', '-')})`,
    { pointer: '/languages' },
  );
}

/** Lists all languages with data on this machine, sorted. */
export function listLanguages(native?: NativeTesseract): string[] {
  const found = new Set(native?.languages);
  for (const folder of [...listPackageFolders(), ...listLanguageFolders(process.env)]) {
    for (const name of listNames(folder)) {
      const language = name.replace(/\.traineddata$/, '');
      if (/^[A-Za-z]\w*$/.test(language) && !NO_LANGUAGES.includes(language) && findLanguage(language) !== undefined)
        found.add(language);
    }
  }
  return [...found].sort();
}

/** Lists the folders in which Node looks for npm's data packages. */
function listPackageFolders(): string[] {
  const folders = createRequire(import.meta.url).resolve.paths('@tesseract.js-data/eng') ?? [];
  return folders.map((folder) => join(folder, '@tesseract.js-data'));
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
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
    // The package is absent: the system may have the data.
  }
  return listLanguageFolders(process.env)
    .map((folder) => join(folder, `${language}.traineddata`))
    .find((path) => fileExists(path));
}

/** True when a file exists. A document process may read only some folders, and Node 20 throws for a missing one. */
function fileExists(path: string): boolean {
  try {
    return existsSync(path);
  } catch {
    return false;
  }
}

/** Lists the folders in which the system may have language data; TESSDATA_PREFIX comes first. */
export function listLanguageFolders(env: NodeJS.ProcessEnv): string[] {
  const prefix = env.TESSDATA_PREFIX;
  return prefix === undefined || prefix === '' ? SYSTEM_FOLDERS : [prefix, join(prefix, 'tessdata'), ...SYSTEM_FOLDERS];
}
