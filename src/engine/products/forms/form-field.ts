import type { Box } from '../../model/document.js';

/** `unknown`: its type is missing, or none of the standard's. */
export const FIELD_TYPES = [
  'text',
  'checkbox',
  'radio',
  'combo-box',
  'list-box',
  'button',
  'signature',
  'unknown',
] as const;
export type FormFieldType = (typeof FIELD_TYPES)[number];

export const FIELD_FLAGS = [
  'read-only',
  'required',
  'no-export',
  'multiline',
  'password',
  'file-select',
  'rich-text',
  'comb',
  'editable',
  'sorted',
  'multi-select',
  'no-toggle-to-off',
] as const;
export type FieldFlag = (typeof FIELD_FLAGS)[number];

/** A field of an AcroForm (ISO 32000-1, 12.7): what it holds, and where it stands. */
export interface FormField {
  /** Fully qualified: the names of its ancestors and its own, joined by dots. */
  name: string;
  type: FormFieldType;
  /** What people are told that it is for (`TU`). */
  label?: string;
  /** Null when it has none; several of a list box that allows it. Of a checkbox or radio group: the option that is on. */
  value: FieldValue;
  defaultValue: FieldValue;
  /** Of a checkbox: is it on? */
  checked?: boolean;
  /** Of radio groups, checkboxes and choices, in their order. */
  options?: FieldOption[];
  flags: FieldFlag[];
  /** Characters that a text field takes at most. */
  maxLength?: number;
  /** Who signed, as the signature says itself: nothing is verified. Null for a signature field that is empty. */
  signature?: FieldSignature | null;
  /** In the order of the file; none for a field that is nowhere to be seen. */
  widgets: FieldWidget[];
}

export type FieldValue = string | string[] | null;

export interface FieldOption {
  /** What is stored and exported. */
  value: string;
  /** What is shown. */
  label: string;
}

export interface FieldWidget {
  /** From 1; null when it is on no page. */
  page: number | null;
  /** On the page as it is displayed; null when it has no area. */
  box: Box | null;
  hidden: boolean;
  /** Of a radio group or a checkbox: the option that it stands for, and whether that is on. */
  option?: string;
  checked?: boolean;
}

export interface FieldSignature {
  name?: string;
  /** ISO 8601. */
  date?: string;
  reason?: string;
  location?: string;
}
