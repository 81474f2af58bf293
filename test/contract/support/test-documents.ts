import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

let count = 0;

/** Makes a new document for hostile-process.mjs, so that no cached result answers it. */
export function makeDocument(text: string): string {
  return `%PDF-1.4 ${text} N=${count++}`;
}

/** Counts the lines of a file that document processes write; 0 before the first. */
export function countLines(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
}

export interface GatedDocuments {
  make(more?: string): string;
  open(): void;
  countRuns(): number;
}

/** Documents that are read until the gate is opened. */
export function makeGated({ dataDir }: { dataDir: string }): GatedDocuments {
  const [gate, marker] = [join(dataDir, `gate-${count++}`), join(dataDir, `marker-${count++}`)];
  return {
    make: (more = '') => makeDocument(`DO=wait GATE=${gate} ALWAYS=1 MARKER=${marker} ${more}`),
    open: () => writeFileSync(gate, ''),
    countRuns: () => countLines(marker),
  };
}
