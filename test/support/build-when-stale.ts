import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Global setup of vitest: builds, unless dist/ is newer than every source file and the build itself. After `npm test` it always is. */
export default function buildWhenStale(): void {
  const builtMs = statSync(join(ROOT, 'dist/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const files = ['bundle.mjs', ...sources.map((name) => join('src', name))];
  const isFresh = files.every((name) => statSync(join(ROOT, name)).mtimeMs < builtMs);
  if (!isFresh)
    execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
}
