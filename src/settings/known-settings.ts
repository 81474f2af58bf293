import { CONCURRENCY, CONCURRENCY_IN_WORDS } from '../contract/concurrency.js';
import { parseDurationMs } from '../contract/duration.js';
import { LANGUAGE_LIST, LANGUAGE_LIST_IN_WORDS } from '../contract/language-list.js';
import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';
import { parseBaseUrl } from './parse-server.js';

/** The settings of a profile, under the names of `ocr config`. */
export type ProfileSetting =
  | 'base-url'
  | 'function'
  | 'format'
  | 'languages'
  | 'concurrency'
  | 'wait-timeout'
  | 'timeout'
  | 'cancel-on-interrupt';

interface KnownSetting {
  /** The default, as it would be typed; undefined if there is none. */
  builtIn: string | undefined;
  flag?: string;
  variable?: string;
  /** All values, where they are few. */
  choices?: readonly string[];
  /** The value as it is kept. @throws OcrError CONFIG_INVALID; `source` names the setting */
  check(value: string, source: string): string;
  /**
   * Looks closer at a value that somebody sets. Returns a note on one that is probably a mistake.
   * @throws OcrError CONFIG_INVALID for one that no service takes
   */
  examine?(value: string): Promise<string | undefined>;
}

const LIST_LANGUAGES = 'List the languages: ocr languages';

export const PROFILE_SETTINGS: Record<ProfileSetting, KnownSetting> = {
  'base-url': { builtIn: undefined, flag: '--base-url', variable: 'OCR_BASE_URL', check: parseBaseUrl },
  function: {
    builtIn: 'TEXT_EXTRACTION',
    check: matching(
      /^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*$/i,
      'is not a function',
      'List the functions: ocr functions list',
    ),
  },
  format: {
    builtIn: 'text',
    choices: ['text', 'markdown', 'json'],
    check: (value, source) => checkFormat(value === 'md' ? 'markdown' : value, source),
  },
  languages: {
    builtIn: undefined,
    check: matching(LANGUAGE_LIST, `is not ${LANGUAGE_LIST_IN_WORDS}`, LIST_LANGUAGES),
    examine: examineLanguages,
  },
  concurrency: {
    builtIn: '4',
    check: matching(CONCURRENCY, `is not ${CONCURRENCY_IN_WORDS}`, 'It is how many documents are sent at once.'),
  },
  'wait-timeout': { builtIn: '300s', check: checkDuration },
  timeout: { builtIn: '120s', flag: '--timeout', check: checkTimeout },
  'cancel-on-interrupt': {
    builtIn: 'false',
    choices: ['true', 'false'],
    check: matching(/^(?:true|false)$/, 'is neither true nor false', 'It says whether Ctrl-C cancels unfinished jobs.'),
  },
};

export const PROFILE_SETTING_NAMES = Object.keys(PROFILE_SETTINGS) as ProfileSetting[];

/** The one setting of the tool itself: which profile is used. */
export const TOOL_SETTING = 'profile';

/** @throws OcrError USAGE for anything else, with what was probably meant */
export function parseSettingName(name: string): ProfileSetting | typeof TOOL_SETTING {
  const names = [TOOL_SETTING, ...PROFILE_SETTING_NAMES] as const;
  const found = names.find((known) => known === name);
  if (found !== undefined) return found;
  // The key is kept beside the settings but is none.
  if (/key|token|secret|password/i.test(name)) {
    throw new OcrError('USAGE', 'The key is not a setting: no flag or argument takes a secret', {
      hint: 'ocr auth login',
    });
  }
  const near = suggest(name, names);
  throw new OcrError('USAGE', `There is no setting "${name}"`, {
    hint: near === undefined ? `Settings: ${names.join(', ')}` : `Did you mean ${near}?`,
  });
}

export function isProfileName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** Returns the name if a profile may have it. @throws OcrError CONFIG_INVALID */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new OcrError('CONFIG_INVALID', `"${name}" is not a profile name`, {
    hint: 'Names consist of letters, digits, dots, dashes and underscores.',
  });
}

function matching(pattern: RegExp, problem: string, hint: string): KnownSetting['check'] {
  return (value, source) => {
    if (pattern.test(value)) return value;
    throw new OcrError('CONFIG_INVALID', `${source} ${problem}: ${value}`, { hint });
  };
}

const checkFormat = matching(
  /^(?:text|markdown|json)$/,
  'is none of text, markdown and json',
  'It is what --format takes; json is about files. JSON on standard output is asked for with --json.',
);

async function examineLanguages(value: string): Promise<string | undefined> {
  const { isNoLanguage, LANGUAGES, parseLanguages, toLanguageCode } = await import('../contract/languages.js');
  const unknown = parseLanguages(value).filter((word) => toLanguageCode(word) === undefined);
  const none = unknown.find(isNoLanguage);
  if (none !== undefined)
    throw new OcrError('CONFIG_INVALID', `languages: "${none}" is the code of no language`, { hint: LIST_LANGUAGES });
  const [word] = unknown;
  if (word === undefined) return undefined;
  const near = suggest(
    word,
    LANGUAGES.flatMap(({ code, name }) => [code, name]),
  );
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `"${word}" is no known language, so it has to be the name of data of your own.${meant} ${LIST_LANGUAGES}`;
}

function checkDuration(value: string, source: string): string {
  if (parseDurationMs(value) !== undefined) return value.trim();
  throw new OcrError('CONFIG_INVALID', `${source} is not a duration: ${value}`, {
    hint: 'Durations look like 300s, 5m or 1h.',
  });
}

function checkTimeout(value: string, source: string): string {
  if (parseDurationMs(value) !== 0) return checkDuration(value, source);
  throw new OcrError('CONFIG_INVALID', `${source} must be more than zero: ${value}`, { hint: 'The default is 120s.' });
}
