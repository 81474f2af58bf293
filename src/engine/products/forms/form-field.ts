import type { Box } from '../../model/document.js';

/** `unknown`: the type is missing, or none of the standard's. */
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

/** A field of an AcroForm (ISO 32000-1, 12.7): its value and its places. */
export interface FormField {
  /** Fully qualified name: the names of its ancestors and its own, joined by dots. */
  name: string;
  type: FormFieldType;
  /** The label for people (`TU`). */
  label?: string;
  /** Null when it has none; several values of a list box that allows them; the option that is on of a checkbox or radio group. */
  value: FieldValue;
  defaultValue: FieldValue;
  /** True for a checkbox that is on. */
  checked?: boolean;
  /** Options of radio groups, checkboxes and choices, in their order. */
  options?: FieldOption[];
  flags: FieldFlag[];
  /** Characters that a text field takes at most. */
  maxLength?: number;
  /** The signer as the signature itself says: nothing is verified. Null for a signature field that is empty. */
  signature?: FieldSignature | null;
  /** Widgets in the order of the file; none for a field that is not visible anywhere. */
  widgets: FieldWidget[];
}

export type FieldValue = string | string[] | null;

export interface FieldOption {
  /** The stored and exported value. */
  value: string;
  /** The shown text. */
  label: string;
}

export interface FieldWidget {
  /** Page from 1; null when it is on no page. */
  page: number | null;
  /** Box on the page as it is displayed; null when it has no area. */
  box: Box | null;
  hidden: boolean;
  /** The option of a radio group or a checkbox that the widget stands for, and whether it is on. */
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
