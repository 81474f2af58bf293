import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ListedDocument, prepareDocuments } from './layout/documents.js';
import type { RuleKind } from './layout/find-rules.js';
import { countMoved, layOutAsWritten, type Variant, variantsOf } from './layout/measure-rules.js';
import { loadSwitchableLayout } from './layout/switchable-layout.js';
import { ROOT } from './ocr-command.js';

const MANIFEST = join(ROOT, 'bench/layout-documents.json');
/** Counted in each set: that a rule moves more documents says no more of it. */
const MAX_COUNTED = 3;

export interface LayoutOptions {
  /** Folder with the documents of the manifest. */
  documents: string;
  /** All when absent. */
  kinds?: readonly string[];
  /** Part of a rule's file, name or line, as "headings/" or "stamps.ts:12". */
  only?: string;
}

/**
 * Switches one rule of the layout off at a time and prints how many documents of each set that changes: a rule that
 * changes none in two sets of documents that nobody fitted it to does not earn its place.
 */
export async function printLayoutRules({ documents: folder, kinds, only }: LayoutOptions): Promise<void> {
  const listed = JSON.parse(readFileSync(MANIFEST, 'utf8')) as ListedDocument[];
  const documents = await prepareDocuments(listed, folder);
  const sets = [...new Set(documents.map(({ set }) => set))].sort();
  const layout = await loadSwitchableLayout();
  try {
    const baselines = layOutAsWritten(layout, documents);
    const isWanted = ({ kind, file, line, name }: { kind: RuleKind; file: string; line: number; name: string }) =>
      (kinds === undefined || kinds.includes(kind)) && (only === undefined || `${file}:${line} ${name}`.includes(only));
    const variants = layout.rules.filter(isWanted).flatMap(variantsOf);
    console.log(
      `${documents.length} documents, ${layout.rules.length} rules; changed documents of each set, counted to ${MAX_COUNTED}`,
    );
    console.log(`${sets.map((set) => `  ${set}`).join('')}   rule`);
    const idle: string[] = [];
    for (const variant of variants) {
      const moved = countMoved(layout, variant, baselines, MAX_COUNTED);
      console.log(`${sets.map((set) => String(moved.get(set) ?? 0).padStart(3)).join('')}   ${describe(variant)}`);
      if (moved.size === 0) idle.push(describe(variant));
    }
    console.log(`\n${idle.length} of ${variants.length} change nothing in any set:`);
    for (const line of idle) console.log(line);
  } finally {
    layout.remove();
  }
}

const describe = ({ rule: { kind, name, file, line }, name: variant }: Variant): string =>
  `${file.replace('src/engine/stages/layout/', '')}:${line} ${kind} ${variant}: ${name}`;
