import { join, resolve } from 'node:path';

export interface Directories {
  /** The settings file. */
  configDir: string;
  /** The ledger: what this machine submitted. */
  stateDir: string;
  /** Of the service on this machine. */
  dataDir: string;
}

/** `OCR_CONFIG_DIR`, `OCR_STATE_DIR` and `OCR_DATA_DIR`, else the platform's own directories. */
export async function findDirectories(env: NodeJS.ProcessEnv): Promise<Directories> {
  const { default: envPaths } = await import('env-paths');
  const paths = envPaths('ocr', { suffix: '' });
  // env-paths knows no state directory: on Linux its `log` is that of the XDG specification, elsewhere logs may be swept away.
  const state = process.platform === 'linux' ? paths.log : join(paths.data, 'state');
  return {
    configDir: resolve(env.OCR_CONFIG_DIR || paths.config),
    stateDir: resolve(env.OCR_STATE_DIR || state),
    dataDir: resolve(env.OCR_DATA_DIR || paths.data),
  };
}
