import { LANGUAGE_FOLDERS_VARIABLE } from '../../engine/stages/recognise/languages.js';

/** Variables that programs need for themselves, their data and temporary files. No keys, no proxies, no options of Node. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'LC_ALL',
  'TZ',
  'TESSDATA_PREFIX',
  LANGUAGE_FOLDERS_VARIABLE,
  'SystemRoot',
  'windir',
  'USERPROFILE',
  'LD_LIBRARY_PATH',
];

/** The environment of a document process. It reads untrusted documents, so it holds no secrets. */
export function minimalEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  // Several native tesseract processes that each use every core are four times slower.
  return { ...Object.fromEntries(kept), OMP_THREAD_LIMIT: '1' };
}
