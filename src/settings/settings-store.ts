import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OcrError } from '../contract/ocr-error.js';
import { isNoSpace, reasonOf } from '../contract/system-reason.js';
import { directoryHint } from '../system/directory-hint.js';
import { withLock } from '../system/lock-file.js';
import { makeDirectory } from '../system/make-directory.js';
import { readSettingsFile, SETTINGS_FILE_NAME, type StoredSettings } from './settings-file.js';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const LOCK_FILE_NAME = `${SETTINGS_FILE_NAME}.lock`;
/** A change takes milliseconds, on a machine that has time for it. */
const LOCK_STALE_AFTER_MS = 10_000;
/** Names of the files that this tool puts into its directories. */
const OUR_NAMES = /^(?:config\.json|submissions$|catalog)/;

/**
 * Reads the settings, changes them and writes them whole, through `conf`: to a temporary name and renamed, mode 0600 in
 * a directory of mode 0700. What the file holds beside what we know stays. One command changes them after the other, each
 * what the one before it wrote; `conf` itself would let the last one win.
 * @throws OcrError CONFIG_INVALID for a file that cannot be read, which is left as it is; CONFIG_UNWRITABLE
 */
export async function changeSettings(configDir: string, change: (stored: StoredSettings) => void): Promise<void> {
  // Before conf looks at it, which lets a corrupt file escape as a bare SyntaxError.
  await readSettingsFile(configDir);
  try {
    // conf would make the directory for everybody to read.
    makeDirectory(configDir, DIRECTORY_MODE);
    await closeToOthers(configDir);
    const { default: Conf } = await import('conf');
    const write = async () => {
      const stored = await readSettingsFile(configDir);
      const conf = new Conf<Record<string, unknown>>({
        cwd: configDir,
        configName: SETTINGS_FILE_NAME.replace(/\.json$/, ''),
        projectName: 'ocr',
        projectSuffix: '',
        configFileMode: FILE_MODE,
        // Names of profiles may have dots.
        accessPropertiesByDotNotation: false,
      });
      change(stored);
      const { profile: _, ...rest } = conf.store;
      conf.store = { ...rest, ...stored };
      await chmod(join(configDir, SETTINGS_FILE_NAME), FILE_MODE);
    };
    await withLock(join(configDir, LOCK_FILE_NAME), write, { staleAfterMs: LOCK_STALE_AFTER_MS });
  } catch (error) {
    if (error instanceof OcrError) throw error;
    throw new OcrError('CONFIG_UNWRITABLE', `Cannot write the settings in ${configDir}: ${reasonOf(error)}`, {
      hint: directoryHint('OCR_CONFIG_DIR', isNoSpace(error)),
    });
  }
}

/** A directory that others can look into is closed to them, unless it holds other things than ours: /tmp must stay what it is. */
async function closeToOthers(configDir: string): Promise<void> {
  const { mode } = await stat(configDir);
  if ((mode & 0o077) === 0) return;
  const names = await readdir(configDir);
  if (names.every((name) => OUR_NAMES.test(name))) await chmod(configDir, DIRECTORY_MODE);
}
