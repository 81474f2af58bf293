import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A second installation of this tool under another version, as a later download of it would stand beside this one. */
export function installAs(version: string, { withOptional = true } = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-install-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of ['bin', 'dist']) cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...manifest, version }));
  if (withOptional) {
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  } else {
    const optional = new Set(Object.keys(manifest.optionalDependencies).map((name) => name.split('/')[0]));
    mkdirSync(join(directory, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (!optional.has(name)) symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
    }
  }
  return join(directory, 'bin/ocr.js');
}
