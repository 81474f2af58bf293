import type { PdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { isRef, type PdfDict, type PdfValue } from '../../pdf-files/objects/values.js';

/** Fields and widgets of one document, at most. */
const MAX_NODES = 50_000;
const MAX_TREE_DEPTH = 64;

/** A terminal field: its dictionaries from its own upwards, for inherited entries, and the widgets that show it. */
export interface FieldNode {
  name: string;
  chain: readonly PdfDict[];
  widgets: WidgetNode[];
}

export interface WidgetNode {
  reference: number | undefined;
  dict: PdfDict;
}

export interface FieldTree {
  fields: FieldNode[];
  /** Numbers of the objects that are fields or widgets of the tree. */
  known: ReadonlySet<number>;
  /** True when the form has more nodes than are read. */
  isCut: boolean;
}

/** Reads every terminal field below the form's `Fields`, in order; the parts of a field that is listed several times are put together. */
export function readFieldTree(objects: PdfObjects, fields: PdfValue | undefined): FieldTree {
  const known = new Set<number>();
  const byName = new Map<string, FieldNode>();
  let nodes = 0;
  const visit = (value: PdfValue, above: readonly PdfDict[], prefix: string): void => {
    if (++nodes > MAX_NODES || above.length > MAX_TREE_DEPTH) return;
    if (isRef(value)) {
      if (known.has(value.number)) return;
      known.add(value.number);
    }
    const dict = objects.dict(value);
    if (dict === undefined) return;
    if (above.length === 0 && !dict.has('T') && dict.has('Parent')) {
      // The form lists a widget where it should list the widget's field.
      const field = readStrayField(objects, toWidget(value, dict));
      if (field !== undefined) addField(byName, field);
      return;
    }
    const chain = [dict, ...above];
    const name = joinName(prefix, objects.text(dict.get('T')));
    const kids = objects.array(dict.get('Kids'));
    const isParent = kids.some((kid) => objects.dict(kid)?.has('T') === true);
    if (isParent) {
      for (const kid of kids) visit(kid, chain, name);
      return;
    }
    const widgets: WidgetNode[] = kids.length === 0 && isWidget(objects, dict) ? [toWidget(value, dict)] : [];
    for (const kid of kids) {
      const widget = objects.dict(kid);
      if (widget === undefined || ++nodes > MAX_NODES) continue;
      if (isRef(kid)) known.add(kid.number);
      widgets.push(toWidget(kid, widget));
    }
    addField(byName, { name, chain, widgets });
  };
  for (const field of objects.array(fields)) visit(field, [], '');
  return { fields: [...byName.values()], known, isCut: nodes > MAX_NODES };
}

/** Reads a widget on a page that the form's tree does not lead to, as careless editors leave them: a field of its own, by its parents. */
export function readStrayField(objects: PdfObjects, widget: WidgetNode): FieldNode | undefined {
  const chain: PdfDict[] = [];
  for (let at: PdfDict | undefined = widget.dict; at !== undefined && chain.length < MAX_TREE_DEPTH; ) {
    chain.push(at);
    at = objects.dict(at.get('Parent'));
    if (at !== undefined && chain.includes(at)) break;
  }
  if (!chain.some((dict) => dict.has('FT'))) return undefined;
  const name = chain.reduceRight((prefix, dict) => joinName(prefix, objects.text(dict.get('T'))), '');
  return { name, chain, widgets: [widget] };
}

/** The nearest value of a key that fields inherit. */
export function inherit({ chain }: FieldNode, key: string): PdfValue | undefined {
  return chain.find((dict) => dict.has(key))?.get(key);
}

export function addField(byName: Map<string, FieldNode>, field: FieldNode): void {
  const same = byName.get(field.name);
  if (same !== undefined && field.name !== '') same.widgets.push(...field.widgets);
  // Fields without a name have nothing in common.
  else byName.set(field.name === '' ? `\0${byName.size}` : field.name, field);
}

export function isWidget(objects: PdfObjects, dict: PdfDict): boolean {
  return objects.name(dict.get('Subtype')) === 'Widget' || (dict.has('Rect') && !dict.has('Subtype'));
}

function toWidget(value: PdfValue, dict: PdfDict): WidgetNode {
  return { reference: isRef(value) ? value.number : undefined, dict };
}

function joinName(prefix: string, part: string | undefined): string {
  if (part === undefined || part === '') return prefix;
  return prefix === '' ? part : `${prefix}.${part}`;
}
