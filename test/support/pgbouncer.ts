import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOBODY } from './postgres.js';
import { until } from './until.js';

/** Says why there is no PgBouncer here; undefined when there is. */
export function explainLackOfPgBouncer(): string | undefined {
  return spawnSync('pgbouncer', ['--version']).status === 0
    ? undefined
    : 'PgBouncer is not installed (Debian: pgbouncer)';
}

/**
 * Starts PgBouncer in transaction mode, without a port, in front of the server whose socket is in `directory`. Every database
 * of the server is reached through it.
 */
export async function startPgBouncer(directory: string): Promise<{ directory: string; close(): Promise<void> }> {
  const own = mkdtempSync(join(tmpdir(), 'pgb-'));
  const config = join(own, 'pgbouncer.ini');
  writeFileSync(join(own, 'users'), '"ocr" ""\n');
  writeFileSync(
    config,
    `[databases]
* = host=${directory} user=ocr
[pgbouncer]
pool_mode = transaction
default_pool_size = 5
listen_port = 5432
unix_socket_dir = ${own}
auth_type = trust
auth_file = ${own}/users
`,
  );
  const as = process.getuid?.() === 0 ? NOBODY : {};
  if (as === NOBODY) for (const path of [own, config, join(own, 'users')]) chownSync(path, NOBODY.uid, NOBODY.gid);
  chmodSync(own, 0o755);
  const child = spawn('pgbouncer', [config], { ...as, cwd: own, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until(() => existsSync(join(own, '.s.PGSQL.5432')), 'the socket of PgBouncer');
  return {
    directory: own,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(own, { recursive: true, force: true });
    },
  };
}
