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
