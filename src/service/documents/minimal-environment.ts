/** What programs need to find themselves, their data and a place for temporary files; no keys, no proxies, no options of Node. */
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
  'SystemRoot',
  'LD_LIBRARY_PATH',
];

/** The environment of a document process: it reads other people's documents and is told nothing that it could give away. */
export function minimalEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  // Native tesseract is four times slower when several of it each take every core.
  return { ...Object.fromEntries(kept), OMP_THREAD_LIMIT: '1' };
}
