import { isAbsolute, join, resolve } from 'node:path';
import { OcrError } from '../contract/ocr-error.js';

export interface Directories {
  /** The settings file. */
  configDir: string;
  /** The ledger: what this machine submitted. */
  stateDir: string;
  /** Data of the service on this machine. */
  dataDir: string;
  /** Files that may be removed at any time: pages that `ocr open` made. */
  cacheDir: string;
}

/** `OCR_CONFIG_DIR`, `OCR_STATE_DIR`, `OCR_DATA_DIR` and `OCR_CACHE_DIR`, else the platform's own directories. @throws OcrError CONFIG_INVALID */
export async function findDirectories(env: NodeJS.ProcessEnv): Promise<Directories> {
  const { default: envPaths } = await import('env-paths');
  const paths = envPaths('ocr', { suffix: '' });
  // env-paths knows no state directory: on Linux its `log` is that of the XDG specification, elsewhere logs may be swept away.
  const state = process.platform === 'linux' ? paths.log : join(paths.data, 'state');
  return {
    configDir: choose(env, 'OCR_CONFIG_DIR', paths.config),
    stateDir: choose(env, 'OCR_STATE_DIR', state),
    dataDir: choose(env, 'OCR_DATA_DIR', paths.data),
    cacheDir: choose(env, 'OCR_CACHE_DIR', paths.cache),
  };
}

function choose(env: NodeJS.ProcessEnv, name: string, standard: string): string {
  if (env[name]) return resolve(env[name]);
  if (isAbsolute(standard)) return standard;
  // Whoever made the working directory must not choose the settings.
  throw new OcrError(
    'CONFIG_INVALID',
    `${standard} would be below the working directory: HOME or an XDG variable is not an absolute path`,
    {
      hint: `Set it, or ${name}.`,
    },
  );
}
