import { decodeName, toName, toNumber } from '../../pdf-files/objects/decode-value.js';
import { parsePdfDate } from '../../pdf-files/objects/pdf-date.js';
import type { PdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { isDict, type PdfDict, type PdfValue } from '../../pdf-files/objects/values.js';
import { type FieldNode, inherit } from './field-tree.js';
import type { FieldFlag, FieldOption, FieldSignature, FieldValue, FormField, FormFieldType } from './form-field.js';

const MAX_OPTIONS = 10_000;

/** Bits of `Ff`, counted from 1 (ISO 32000-1, 12.7.3.1 and 12.7.4). */
const RADIO = 16;
const PUSH_BUTTON = 17;
const COMBO = 18;
type FlagBits = readonly (readonly [bit: number, flag: FieldFlag])[];
const OF_ALL: FlagBits = [
  [1, 'read-only'],
  [2, 'required'],
  [3, 'no-export'],
];
const OF_TYPE: Partial<Record<FormFieldType, FlagBits>> = {
  text: [
    [13, 'multiline'],
    [14, 'password'],
    [21, 'file-select'],
    [25, 'comb'],
    [26, 'rich-text'],
  ],
  radio: [[15, 'no-toggle-to-off']],
  'combo-box': [
    [19, 'editable'],
    [20, 'sorted'],
  ],
  'list-box': [
    [20, 'sorted'],
    [22, 'multi-select'],
  ],
};

/** Describes a field without its places. */
export function describeField(objects: PdfObjects, node: FieldNode): Omit<FormField, 'widgets'> {
  const bits = objects.number(inherit(node, 'Ff')) ?? 0;
  const type = typeOf(objects.name(inherit(node, 'FT')), bits);
  const label = objects.text(inherit(node, 'TU'));
  const maxLength = type === 'text' ? objects.number(inherit(node, 'MaxLen')) : undefined;
  return {
    name: node.name,
    type,
    ...(label === undefined || label === '' ? {} : { label }),
    ...describeValue(objects, node, type),
    flags: [...OF_ALL, ...(OF_TYPE[type] ?? [])].filter(([bit]) => hasBit(bits, bit)).map(([, flag]) => flag),
    ...(maxLength === undefined || maxLength < 0 ? {} : { maxLength: Math.trunc(maxLength) }),
  };
}

/** The option that a widget stands for: its name when it is on, and whether it is on. */
export interface WidgetState {
  option: string;
  checked: boolean;
}

/** The option of each widget of a checkbox or a radio group, in their order. */
export function readStates(objects: PdfObjects, node: FieldNode): (WidgetState | undefined)[] {
  const value = toState(objects, inherit(node, 'V'));
  const labels = objects.array(inherit(node, 'Opt'));
  return node.widgets.map(({ dict }, index) => {
    const on = readOnState(objects, dict);
    if (on === undefined) return undefined;
    const shown = objects.name(dict.get('AS'));
    // `Opt` holds the exported text where the states' names cannot: a PDF name is not Unicode text.
    const option = objects.text(labels[index]) ?? on;
    return { option, checked: value === undefined ? shown === on : value === on };
  });
}

function describeValue(
  objects: PdfObjects,
  node: FieldNode,
  type: FormFieldType,
): Pick<FormField, 'value' | 'defaultValue' | 'checked' | 'options' | 'signature'> {
  if (type === 'button') return { value: null, defaultValue: null };
  if (type === 'signature') {
    const signature = objects.dict(inherit(node, 'V'));
    return { value: null, defaultValue: null, signature: signature ? describeSignature(objects, signature) : null };
  }
  if (type === 'checkbox' || type === 'radio') return describeStates(objects, node, type);
  const read = (key: string): FieldValue => readValue(objects, inherit(node, key));
  if (type !== 'combo-box' && type !== 'list-box') return { value: read('V'), defaultValue: read('DV') };
  const options = readOptions(objects, inherit(node, 'Opt'));
  return { value: read('V') ?? readSelected(objects, node, options), defaultValue: read('DV'), options };
}

function describeStates(objects: PdfObjects, node: FieldNode, type: 'checkbox' | 'radio') {
  const states = readStates(objects, node).filter((state) => state !== undefined);
  const options = [...new Set(states.map(({ option }) => option))].map((value) => ({ value, label: value }));
  const value = states.find(({ checked }) => checked)?.option ?? onState(toState(objects, inherit(node, 'V'))) ?? null;
  const byDefault = onState(toState(objects, inherit(node, 'DV')));
  const index = node.widgets.findIndex(({ dict }) => readOnState(objects, dict) === byDefault);
  const defaultValue = byDefault === undefined ? null : (readStates(objects, node)[index]?.option ?? byDefault);
  return { value, defaultValue, ...(type === 'checkbox' ? { checked: value !== null } : {}), options };
}

const onState = (state: string | undefined): string | undefined =>
  state === 'Off' || state === '' ? undefined : state;

/** The state of a checkbox; some writers give it as a string. */
function toState(objects: PdfObjects, value: PdfValue | undefined): string | undefined {
  return objects.name(value) ?? objects.text(value);
}

/** The name of the appearance that is not `Off`. */
function readOnState(objects: PdfObjects, widget: PdfDict): string | undefined {
  const appearances = objects.dict(widget.get('AP'));
  for (const kind of ['N', 'D']) {
    // A single appearance is a stream and has no states.
    const states = objects.resolve(appearances?.get(kind));
    if (!isDict(states)) continue;
    const on = [...states.keys()].find((state) => state !== 'Off');
    if (on !== undefined) return decodeName(on);
  }
  return onState(objects.name(widget.get('AS')));
}

function readValue(objects: PdfObjects, value: PdfValue | undefined): FieldValue {
  const found = objects.resolve(value);
  if (Array.isArray(found)) {
    const texts = found.slice(0, MAX_OPTIONS).map((item) => objects.text(item));
    return texts.filter((text) => text !== undefined);
  }
  return objects.text(found) ?? toName(found) ?? toNumber(found)?.toString() ?? null;
}

function readOptions(objects: PdfObjects, value: PdfValue | undefined): FieldOption[] {
  return objects
    .array(value)
    .slice(0, MAX_OPTIONS)
    .map((item) => {
      const [exported, shown] = objects.array(item);
      const first = objects.text(exported) ?? objects.text(item) ?? '';
      return { value: first, label: objects.text(shown) ?? first };
    });
}

/** The value of a list that is selected by its index alone. */
function readSelected(objects: PdfObjects, node: FieldNode, options: readonly FieldOption[]): FieldValue {
  const indices = objects.array(inherit(node, 'I')).map((item) => objects.number(item) ?? -1);
  const values = indices.map((index) => options[index]?.value).filter((value) => value !== undefined);
  return values.length > 1 ? values : (values[0] ?? null);
}

function describeSignature(objects: PdfObjects, signature: PdfDict): FieldSignature {
  const texts = { name: 'Name', reason: 'Reason', location: 'Location' } as const;
  const described: FieldSignature = {};
  for (const [key, name] of Object.entries(texts) as [keyof typeof texts, string][]) {
    const text = objects.text(signature.get(name));
    if (text !== undefined && text !== '') described[key] = text;
  }
  const date = parsePdfDate(objects.text(signature.get('M')) ?? '');
  return date === undefined ? described : { ...described, date };
}

function typeOf(name: string | undefined, bits: number): FormFieldType {
  if (name === 'Tx') return 'text';
  if (name === 'Btn') return hasBit(bits, PUSH_BUTTON) ? 'button' : hasBit(bits, RADIO) ? 'radio' : 'checkbox';
  if (name === 'Ch') return hasBit(bits, COMBO) ? 'combo-box' : 'list-box';
  return name === 'Sig' ? 'signature' : 'unknown';
}

function hasBit(bits: number, bit: number): boolean {
  return (bits & (1 << (bit - 1))) !== 0;
}
