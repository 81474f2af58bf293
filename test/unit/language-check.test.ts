import { expect, test } from 'vitest';
import { checkLanguage } from '../../.ci/check-language.mjs';

const rulesIn = (source: string) => checkLanguage('a.ts', source).map(({ line, rule }) => `${line}: ${rule}`);

test.each<[string, string, string[]]>([
  ['a fragment', '/** Of a page. */\nconst a = 1;', ['1: begins with "Of"']],
  ['a fragment in lower case', 'const a = 1; // whether it ended', ['1: begins with "whether"']],
  ['a question', '\n/**\n * Does the line go on? Then it is joined.\n */\nconst a = 1;', ['2: begins with a question']],
  ['lines that follow each other', '// The page is read\n// Of a line. Why?\nconst a = 1;', []],
  ['two comments beside code', 'const a = 1; // The page\nconst b = 2; // Of a line', ['2: begins with "Of"']],
  ['a comment before a closing bracket', 'f(() => {\n  // As before.\n});', ['2: begins with "As"']],
  [
    'a bound',
    'const MOST_ROWS = 1;\nconst ALMOST_ROWS = MOST_ROWS;',
    Array(2)
      .fill(0)
      .map((_, i) => `${i + 1}: MAX_ or MIN_ in place of it`),
  ],
  ['plain words', '/** True when `a?` of the page is set. Why so? */\nconst a = 1; // Office hours', []],
  ['a directive', '// @ts-expect-error\n// biome-ignore lint: what for?\nconst a = 1;', []],
  ['strings, patterns and templates', "const a = ['// Of', /\\/\\/ Of/, `// Of /* In */`];", []],
])('the rules against %s → the lines that break them', (_, source, rules) => {
  expect(rulesIn(source)).toEqual(rules);
});
