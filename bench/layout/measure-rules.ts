import type { PreparedDocument } from './documents.js';
import type { Rule } from './find-rules.js';
import type { SwitchableLayout } from './switchable-layout.js';
import { ALWAYS_FALSE, ALWAYS_TRUE, CONSTANT_FACTORS, WAS_FALSE, WAS_TRUE } from './switches.js';

export interface Variant {
  rule: Rule;
  /** State of the rule's switch, from 1. */
  state: number;
  name: string;
}

/** A document laid out with every rule as written. */
export interface Baseline {
  document: PreparedDocument;
  blocks: string;
  /** Answers of each rule, as bits. */
  seen: Uint8Array;
  maxAsked: number;
}

/** A switched rule that makes the layout ask this many times as much makes it run without end. */
const MAX_MORE_ASKED = 20;
const MIN_ASKED = 100_000;

export function layOutAsWritten(layout: SwitchableLayout, documents: readonly PreparedDocument[]): Baseline[] {
  return documents.map((document) => {
    const blocks = layOut(layout, document);
    const { seen, asked } = layout.switches;
    return { document, blocks, seen, maxAsked: asked * MAX_MORE_ASKED + MIN_ASKED };
  });
}

export function variantsOf(rule: Rule): Variant[] {
  const named = (names: readonly string[]) => names.map((name, index) => ({ rule, state: index + 1, name }));
  if (rule.kind === 'constant') return named(CONSTANT_FACTORS.map((factor) => `× ${factor}`));
  if (rule.kind === 'predicate') return named(['never', 'always']);
  if (rule.kind === 'condition')
    return [{ rule, state: rule.absent === true ? ALWAYS_TRUE : ALWAYS_FALSE, name: 'absent' }];
  return named(['absent']);
}

/** True when the variant can change the document: a rule that never holds in it changes nothing when it is switched off. */
function canMove({ rule, state }: Variant, { seen }: Baseline): boolean {
  const bits = seen[rule.id] ?? 0;
  if (rule.kind === 'function') return bits !== 0;
  if (rule.kind !== 'predicate' && rule.kind !== 'condition') return true;
  return (bits & (state === ALWAYS_FALSE ? WAS_TRUE : WAS_FALSE)) !== 0;
}

/** True when the document's blocks differ with the variants switched. */
function moves(layout: SwitchableLayout, variants: readonly Variant[], baseline: Baseline): boolean {
  for (const { rule, state } of variants) layout.switches.set(rule.id, state);
  try {
    return layOut(layout, baseline.document, baseline.maxAsked) !== baseline.blocks;
  } catch {
    return true;
  } finally {
    for (const { rule } of variants) layout.switches.set(rule.id, 0);
  }
}

/** How many documents of each set the variant changes, counted up to `max` in a set. */
export function countMoved(
  layout: SwitchableLayout,
  variant: Variant,
  baselines: readonly Baseline[],
  max: number,
): Map<string, number> {
  const moved = new Map<string, number>();
  for (const baseline of baselines) {
    const { set } = baseline.document;
    const count = moved.get(set) ?? 0;
    if (count < max && canMove(variant, baseline) && moves(layout, [variant], baseline)) moved.set(set, count + 1);
  }
  return moved;
}

function layOut({ switches, layOutDocument }: SwitchableLayout, document: PreparedDocument, maxAsked?: number): string {
  const pages = document.pages();
  return switches.run(() => JSON.stringify(layOutDocument(pages)), maxAsked);
}
