import { readFileSync } from 'node:fs';

/**
 * A digest of all that makes the results of documents, which the build writes: another one wherever the same document may
 * give another result. Part of the key under which results are cached.
 */
export const readEngineVersion = (): string => readFileSync(new URL('../engine-version', import.meta.url), 'utf8');
