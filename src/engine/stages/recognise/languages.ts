import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { DocumentError } from '../../model/document-error.js';
import { type NativeTesseract, NO_LANGUAGES } from './find-native-tesseract.js';
import type { LanguageModel, RecognitionPlan } from './recogniser.js';
import { findUnpacked } from './unpacked-data.js';

/** Languages that are installed with this package. */
const DEFAULT_LANGUAGES = ['eng'];
/** Variants in a data package, the best first: best_int reads as well as the larger best, and faster. */
const VARIANTS = ['4.0.0_best_int', '4.0.0_fast', '4.0.0'];
/** Variable with the folders of languages that people install while the tool runs: absolute paths, separated as in PATH. */
export const LANGUAGE_FOLDERS_VARIABLE = 'OCR_LANGUAGE_FOLDERS';
const SYSTEM_FOLDERS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

/**
 * Plans the recognition of documents in these languages. Their data comes from npm packages `@tesseract.js-data/<code>`, else
 * from the folders of installed languages, else from the system's tessdata folders (TESSDATA_PREFIX first). Every document
 * looks anew, so a language can be read as soon as it is installed. Native Tesseract takes part if it has all of them, or if
 * one folder of installed languages has all of them.
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
    const path = findLanguage(language, process.env);
    if (path === undefined) missing.push(language);
    else models.push({ language, path });
  }
  if (native !== undefined && languages.every((language) => native.languages.includes(language))) {
    const otherFolder = findOtherData(languages, models);
    return {
      models: missing.length > 0 ? [] : models,
      native: { program: native.program, languages, ...(otherFolder === undefined ? {} : { otherFolder }) },
    };
  }
  const [language] = missing;
  if (language === undefined) {
    const folder = native && listInstallFolders(process.env).find((path) => hasAll(path, languages));
    return native && folder ? { models, native: { program: native.program, languages, folder } } : { models };
  }
  throw new DocumentError(
    'invalid-argument',
    `the language "${language}" is not installed: ocr languages install ${language}`,
    { pointer: '/languages' },
  );
}

const hasAll = (folder: string, languages: readonly string[]) =>
  languages.every((language) => fileExists(join(folder, `${language}.traineddata`)));

/** Finds the folder of other data than the system's: installed, or that of the package, unpacked. */
function findOtherData(languages: readonly string[], [model]: readonly LanguageModel[]): string | undefined {
  const folders = listInstallFolders(process.env);
  const unpacked = model && languages.length === 1 ? findUnpacked(model.path, folders) : undefined;
  return unpacked === undefined ? folders.find((folder) => hasAll(folder, languages)) : dirname(unpacked);
}

/** Lists all languages with data on this machine, sorted. */
export function listLanguages(native?: NativeTesseract, env: NodeJS.ProcessEnv = process.env): string[] {
  const found = new Set(native?.languages);
  for (const folder of listAllFolders(env)) {
    for (const name of listNames(folder)) {
      const language = name.replace(/\.traineddata$/, '');
      if (
        /^[A-Za-z]\w*$/.test(language) &&
        !NO_LANGUAGES.includes(language) &&
        findLanguage(language, env) !== undefined
      )
        found.add(language);
    }
  }
  return [...found].sort();
}

/** Returns a text that changes when a language is installed or removed, at the price of a few stat calls. */
export function describeLanguageFolders(): string {
  return listAllFolders(process.env)
    .map((folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join();
}

function listAllFolders(env: NodeJS.ProcessEnv): string[] {
  return [...listPackageFolders(), ...listLanguageFolders(env)];
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

function findLanguage(language: string, env: NodeJS.ProcessEnv): string | undefined {
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
  return listLanguageFolders(env)
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

/** Lists the folders that may have language data: those for installed languages, then TESSDATA_PREFIX, then the system's. */
export function listLanguageFolders(env: NodeJS.ProcessEnv): string[] {
  const prefix = env.TESSDATA_PREFIX;
  const further = prefix === undefined || prefix === '' ? [] : [prefix, join(prefix, 'tessdata')];
  return [...listInstallFolders(env), ...further, ...SYSTEM_FOLDERS];
}

/** Lists the folders for installed languages, the service's own first. */
export function listInstallFolders(env: NodeJS.ProcessEnv): string[] {
  return (env[LANGUAGE_FOLDERS_VARIABLE] ?? '').split(delimiter).filter(isAbsolute);
}
