import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OcrError } from '../contract/ocr-error.js';
import { reasonOf } from '../contract/system-reason.js';

export const SETTINGS_FILE_NAME = 'config.json';

/** The content of the settings file: the chosen profile and each profile's settings, under the names that `ocr config` uses. */
export interface StoredSettings {
  profile?: string;
  profiles: Record<string, Record<string, string>>;
}

/**
 * Reads the file that `conf` writes. Reading needs no conf, whose import costs as much as starting Node does, and which
 * lets a corrupt file escape as a bare SyntaxError.
 * @throws OcrError CONFIG_INVALID, naming the file
 */
export async function readSettingsFile(configDir: string): Promise<StoredSettings> {
  const path = join(configDir, SETTINGS_FILE_NAME);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { profiles: {} };
    throw invalid(path, `cannot be read (${reasonOf(error)})`, error);
  }
  try {
    return parseSettings(JSON.parse(text));
  } catch (error) {
    // Neither message nor cause has the parser's own words.
    if (!(error instanceof SyntaxError)) throw invalid(path, String(error));
    const { describePosition } = await import('../contract/json-position.js');
    throw invalid(path, `is not JSON${describePosition(text, error)}`);
  }
}

function invalid(path: string, reason: string, cause?: unknown): OcrError {
  return new OcrError('CONFIG_INVALID', `The settings file ${path} ${reason}`, {
    hint: 'Repair it or move it away; it is left as it is.',
    cause,
  });
}

function parseSettings(value: unknown): StoredSettings {
  if (!isRecord(value)) throw 'holds no object';
  const { profile, profiles = {} } = value;
  if (profile !== undefined && typeof profile !== 'string') throw 'has a "profile" that is not a string';
  if (!isRecord(profiles)) throw 'has "profiles" that are not an object';
  const parsed: StoredSettings = { profiles: {}, ...(profile === undefined ? {} : { profile }) };
  for (const [name, settings] of Object.entries(profiles)) {
    if (!isRecord(settings)) throw `has a profile "${name}" that is not an object`;
    parsed.profiles[name] = Object.fromEntries(
      Object.entries(settings).map(([key, item]) => [key, parseValue(item, `${key} of profile "${name}"`)]),
    );
  }
  return parsed;
}

/** A number or a truth value that somebody typed into the file means what it would mean on the command line. */
function parseValue(value: unknown, name: string): string {
  if (value === null || typeof value === 'object') throw `has a ${name} that is not a string`;
  return String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
