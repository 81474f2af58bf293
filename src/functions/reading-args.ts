import { PAGE_RANGES_PATTERN } from '../contract/page-ranges.js';
import type { ReadOptions } from '../engine/reading/reading.js';
import type { RunRequest } from './function.js';
import { readLanguageCodes } from './read-language-codes.js';
import { DIALECT, type Schema } from './result-schema.js';

/** An argsSchema that refuses every property it does not name. */
export function argsObject(properties: Record<string, Schema>): Schema {
  return { $schema: DIALECT, type: 'object', additionalProperties: false, properties };
}

/** The arguments of every function that reads pages, as properties of an argsSchema. */
export const readingProperties = {
  pages: {
    type: 'string',
    pattern: PAGE_RANGES_PATTERN,
    maxLength: 1000,
    description:
      'Pages to read: numbers and ranges, from 1; -1 is the last page, "5-" runs to the end. All unless given.',
    examples: ['1-3,7,-1'],
  },
  ocr: {
    type: 'string',
    enum: ['auto', 'force', 'never'],
    default: 'auto',
    description:
      'auto: recognise pages without a text layer that can be trusted, and large pictures with lines of print on pages that have one; force: recognise all of every page; never: use the text layer only.',
    examples: ['force'],
  },
  languages: {
    type: 'array',
    items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{1,30}$' },
    minItems: 1,
    maxItems: 4,
    uniqueItems: true,
    default: ['eng'],
    description:
      'Languages of the document, by their Tesseract codes (three letters, as ISO 639-2 has them) or codes of two letters. Their data must be installed on the server.',
    examples: [['deu', 'eng']],
  },
  password: {
    type: 'string',
    maxLength: 1024,
    writeOnly: true,
    description: 'Opens an encrypted PDF.',
    examples: ['correct horse battery staple'],
  },
} as const;

/** Arguments that are valid against `readingProperties` → what the engine takes. @throws DocumentError as readLanguageCodes does */
export function toReadOptions({ args, limits, native, onProgress }: RunRequest): ReadOptions {
  const { ocr } = args;
  const languages = Array.isArray(args.languages) ? readLanguageCodes(args.languages.map(String), native) : undefined;
  return {
    ocr: ocr === 'force' || ocr === 'never' ? ocr : 'auto',
    ...(languages === undefined ? {} : { languages }),
    ...toSelection(args),
    ...(native === undefined ? {} : { native }),
    maxPixels: limits.maxPixels,
    parallelism: limits.parallelism,
    onProgress,
  };
}

/** Returns the pages to read and the password of the document. */
export function toSelection({ pages, password }: RunRequest['args']): Pick<ReadOptions, 'pages' | 'password'> {
  return {
    ...(typeof pages === 'string' ? { pages } : {}),
    ...(typeof password === 'string' ? { password } : {}),
  };
}
