import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, toLanguageCode } from '../../src/contract/languages.js';
import { listInstalled } from '../../src/local/languages/list-installed.js';

export interface AbsentLanguage {
  /** Tesseract's code. */
  code: string;
  name: string;
  /** Code of ISO 639-1. */
  short: string;
}

/** Languages that can be installed and that this machine has no data for, whichever of the system's packages it has. */
export async function findAbsentLanguages(): Promise<[AbsentLanguage, AbsentLanguage]> {
  // A home of a test has the PATH, and no TESSDATA_PREFIX.
  const installed = await listInstalled(join(tmpdir(), 'no-data'), { PATH: process.env.PATH });
  const [first, second] = LANGUAGES.filter(({ code, name }) => /^\w+$/.test(name) && !installed.includes(code))
    .map((language) => ({ ...language, short: findShortCode(language.code) }))
    .filter((language): language is AbsentLanguage => language.short !== undefined);
  if (first === undefined || second === undefined) throw new Error('This machine has every language');
  return [first, second];
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

function findShortCode(code: string): string | undefined {
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).find(
    (short) => toLanguageCode(short) === code,
  );
}
