import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Inputs of the digest: the file that pins the packages, the engine and the functions. */
const PACKAGE_JSON = new URL('../../package.json', import.meta.url);
const PROGRAM_DIRECTORIES = [new URL('../engine/', import.meta.url), new URL('./', import.meta.url)];

/**
 * A digest of all that makes the results of documents: another one wherever the same document may give another result.
 * Part of the key under which results are cached. Takes some 20 ms.
 */
export function readEngineVersion(): string {
  const digest = createHash('sha256');
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8'));
  digest.update(JSON.stringify([dependencies, optionalDependencies]));
  for (const directory of PROGRAM_DIRECTORIES) {
    const names = readdirSync(fileURLToPath(directory), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((name) => /(?<!\.d)\.[jt]s$/.test(name)).sort()) {
      digest.update(`\0${name}\0`).update(readFileSync(new URL(name, directory)));
    }
  }
  return digest.digest('hex');
}
