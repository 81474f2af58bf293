import { readCids, readToUnicode } from '../../../dist/engine/pdf-files/objects/code-map.js';
import { parsePdfDate } from '../../../dist/engine/pdf-files/objects/pdf-date.js';
import { decodeTextString } from '../../../dist/engine/pdf-files/objects/text-string.js';
import { type FuzzTarget, promise } from '../fuzz-target.js';

const CODES = [0, 1, 65, 255, 256, 65_535];

/** The maps of a font's codes, text strings and dates of PDF. */
export const codeMap: FuzzTarget = {
  name: 'code-map',
  seeds: () =>
    [
      '2 beginbfchar\n<01> <0041>\n<0002> <D83DDE00>\nendbfchar\n2 beginbfrange\n<00> <ff> <0000>\n<0041> <0042> [<0061> <0062>]\nendbfrange',
      '1 begincidrange\n<0000> <ffff> 0\nendcidrange\n1 begincidchar\n<41> 7\nendcidchar',
      "D:20240229093000+01'00'",
      '\xfe\xff\0a\0\x1b\0e\0n\0\x1b\0b',
      '\xef\xbb\xbfabc',
    ].map((text) => Buffer.from(text, 'latin1')),
  hostile: () =>
    ['1 beginbfchar <01> <'.concat('0041'.repeat(200_000), '> endbfchar'), 'beginbfchar '.repeat(200_000)].map((text) =>
      Buffer.from(text),
    ),
  tokens: [
    'beginbfchar',
    'endbfchar',
    'beginbfrange',
    'endbfrange',
    'begincidrange',
    'endcidrange',
    '<',
    '>',
    '[',
    ']',
  ].concat(['<00>', '<ffff>', '<0041>', '0041', '\n', '\x1b', '\xfe\xff', '\xff\xfe', '(', ')']),
  runs: 3000,
  run(bytes) {
    const toUnicode = readToUnicode(bytes);
    const toCid = readCids(bytes);
    for (const code of CODES) {
      const text = toUnicode(code);
      promise(text === undefined || text.length <= bytes.length, 'a text is not longer than its map');
      toCid(code);
    }
    const text = decodeTextString(bytes);
    promise(text.length <= bytes.length, 'a text is not longer than its bytes');
    const date = parsePdfDate(text);
    promise(
      date === undefined || /^\d{4}(?:-\d\d){0,2}(?:T[\d:]{8}(?:Z|[+-]\d\d:\d\d)?)?$/.test(date),
      `a date: ${date}`,
    );
  },
};
