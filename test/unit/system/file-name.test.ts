import { expect, test } from 'vitest';
import { fileName } from '../../../src/system/file-name.js';

test.each([
  ['scan 1.pdf.md', 'scan 1.pdf.md'],
  ['10:30 <draft>?.pdf.md', '10_30 _draft__.pdf.md'],
  ['..\\..\\secret.md', '.._.._secret.md'],
  ['con.pdf.md', 'con_.pdf.md'],
  ['NUL', 'NUL_'],
  ['console.md', 'console.md'],
  ['letter. ', 'letter__'],
  ['a\u0007b', 'a_b'],
])('%j → %j on Windows, itself elsewhere', (name, expected) => {
  expect(fileName(name, 'win32')).toBe(expected);
  expect(fileName(name, 'linux')).toBe(name);
  expect(fileName(name, 'darwin')).toBe(name);
});
