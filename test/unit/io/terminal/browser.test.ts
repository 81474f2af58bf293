import { expect, test } from 'vitest';
import { chooseBrowser } from '../../../../src/io/terminal/browser.js';

const DISPLAY = { DISPLAY: ':0' };

test.each([
  ['linux', DISPLAY, 'xdg-open', ['/p/a b.html']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open', ['/p/a b.html']],
  ['darwin', {}, 'open', ['/p/a b.html']],
  ['win32', {}, 'rundll32', ['url.dll,FileProtocolHandler', '/p/a b.html']],
] as const)('%s with %o → %s', (platform, env, program, args) => {
  expect(chooseBrowser('/p/a b.html', { platform, env })).toEqual({ program, args, isChosen: false });
});

test.each([
  ['firefox', 'firefox', ['file:///p/a%20b.html']],
  ['lynx -x:w3m', 'lynx', ['-x', 'file:///p/a%20b.html']],
  ['show --url=%s --now', 'show', ['--url=file:///p/a%20b.html', '--now']],
])('BROWSER=%s → that program, over SSH and without a display too', (BROWSER, program, args) => {
  const env = { BROWSER, SSH_CONNECTION: '1' };
  expect(chooseBrowser('/p/a b.html', { platform: 'linux', env })).toEqual({ program, args, isChosen: true });
});

test.each([
  ['linux', {}, 'there is no display'],
  ['linux', { ...DISPLAY, SSH_CONNECTION: '1' }, 'this is a session over SSH'],
  ['darwin', { SSH_TTY: '/dev/ttys0' }, 'this is a session over SSH'],
] as const)('%s with %o → the reason why not: %s', (platform, env, reason) => {
  expect(chooseBrowser('/p/a.html', { platform, env })).toEqual({ reason });
});
