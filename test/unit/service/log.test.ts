import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const LOG = fileURLToPath(new URL('../../../dist/service/log.js', import.meta.url));

// /dev/full takes nothing and says that the disk is full.
test.skipIf(!existsSync('/dev/full'))('a log that cannot be written → no error', () => {
  const program = `
    const { createLog } = await import(${JSON.stringify(LOG)});
    const log = createLog('info');
    for (let i = 0; i < 20; i++) log.info({ i }, 'a line');
    process.stdout.write('done');`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    encoding: 'utf8',
  });
  expect(child).toMatchObject({ status: 0, stdout: 'done' });
});

test('control and direction characters of strangers → escaped in the line, the same value when parsed', () => {
  const path = '/a\u009b31m\u202eb';
  const program = `
    const { createLog } = await import(${JSON.stringify(LOG)});
    createLog('info').info({ path: ${JSON.stringify(path)} }, 'call');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stderr).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(stderr)).toMatchObject({ path });
});
