import { expect, test } from 'vitest';
import { colourLevel, createStyle } from '../../../../src/io/terminal/style.js';

test.each<[string, { isTerminal?: boolean; isRefused?: boolean; env?: NodeJS.ProcessEnv }, number]>([
  ['a pipe, whatever TERM says', { env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' } }, 0],
  ['a terminal', { isTerminal: true, env: { TERM: 'xterm' } }, 1],
  ['a terminal with NO_COLOR', { isTerminal: true, env: { NO_COLOR: '1' } }, 0],
  ['a terminal with an empty NO_COLOR', { isTerminal: true, env: { NO_COLOR: '' } }, 1],
  ['a dumb terminal', { isTerminal: true, env: { TERM: 'dumb' } }, 0],
  ['--no-color', { isTerminal: true, isRefused: true, env: { FORCE_COLOR: '3' } }, 0],
  ['a pipe with FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, 1],
  ['a pipe with an empty FORCE_COLOR', { env: { FORCE_COLOR: '' } }, 1],
  ['FORCE_COLOR=3', { env: { FORCE_COLOR: '3' } }, 3],
  ['FORCE_COLOR=0', { isTerminal: true, env: { FORCE_COLOR: '0' } }, 0],
  ['FORCE_COLOR beside NO_COLOR', { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, 1],
])('$0 → colour level $2', async (_, { isTerminal = false, isRefused = false, env = {} }, level) => {
  expect(colourLevel({ isTerminal, isRefused, env })).toBe(level);
  const style = await createStyle({ isTerminal, isRefused, env });
  expect(style.red('x')).toBe(level === 0 ? 'x' : '\x1b[31mx\x1b[39m');
});
