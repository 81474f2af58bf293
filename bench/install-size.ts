import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './ocr-command.js';

const MIB = 1024 * 1024;

/** Installs the tool's dependencies twice in a temporary directory and prints how much disk each way takes. Needs the registry. */
export function printInstallSizes(): void {
  for (const [name, goal, flags] of [
    ['client for other servers (--omit=optional)', 20, ['--omit=dev', '--omit=optional']],
    ['with the service and its engine', 150, ['--omit=dev']],
  ] as const) {
    const directory = mkdtempSync(join(tmpdir(), 'ocr-size-'));
    try {
      for (const file of ['package.json', 'package-lock.json', '.npmrc'])
        cpSync(join(ROOT, file), join(directory, file));
      execFileSync('npm', ['ci', '--no-audit', ...flags], { cwd: directory, stdio: 'ignore' });
      const size = sizeOf(join(directory, 'node_modules')) + sizeOf(join(ROOT, 'dist'));
      console.log(`${name.padEnd(46)} ${(size / MIB).toFixed(1).padStart(7)} MiB   goal ≤ ${goal}`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

function sizeOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
