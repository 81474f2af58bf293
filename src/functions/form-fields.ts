import { FIELD_FLAGS, FIELD_TYPES } from '../engine/products/forms/form-field.js';
import { PDF_TYPE } from '../engine/sniff.js';
import type { OcrFunction, PrintedTable } from './function.js';
import { argsObject, readingProperties, toSelection } from './reading-args.js';
import { BOX, DIALECT, list, object, type Schema, text, yesOrNo } from './result-schema.js';

const value = (description: string): Schema => ({
  type: ['string', 'array', 'null'],
  items: { type: 'string' },
  description,
});
const PAGE: Schema = { type: ['integer', 'null'], minimum: 1, description: 'From 1; null when it is on no page.' };
const PLACE: Schema = {
  ...BOX,
  type: ['array', 'null'],
  description:
    '[x0, y0, x1, y1], each 0-1, from the top left of the page as it is displayed; null when it has no area.',
};

const FIELD = object(
  'A field, in the order of the file.',
  {
    name: text('Fully qualified: the names of its ancestors and its own, joined by dots.'),
    type: { type: 'string', enum: FIELD_TYPES, description: 'What it is; unknown if the file does not say.' },
    label: text('Its label for people.'),
    value: value(
      'As it is stored: a text, the option that is chosen or on, an array where several are chosen, or null for none.',
    ),
    defaultValue: value('What it is reset to, like `value`.'),
    checked: yesOrNo('Of a checkbox: whether it is on.'),
    options: list(
      'Of choices, radio groups and checkboxes: what may be chosen.',
      object('An option.', { value: text('What is stored.'), label: text('What is shown.') }),
    ),
    flags: list('Flags that are set.', { type: 'string', enum: FIELD_FLAGS }),
    maxLength: { type: 'integer', minimum: 0, description: 'Characters that a text field takes at most.' },
    signature: {
      ...object(
        'Of a signature field: what the signature states; nothing is verified. Null if it is not signed.',
        {
          name: text('Who signed.'),
          date: text('When, ISO 8601.'),
          reason: text('Why.'),
          location: text('Where.'),
        },
        ['name', 'date', 'reason', 'location'],
      ),
      type: ['object', 'null'],
    },
    page: PAGE,
    box: { ...PLACE, description: `Of its first widget. ${String(PLACE.description)}` },
    widgets: list(
      'Where it appears: once for most fields, once for each option of a radio group, nowhere for fields that are only stored.',
      object(
        'A widget.',
        {
          page: PAGE,
          box: PLACE,
          hidden: yesOrNo('Whether it is hidden.'),
          option: text('Of a radio group or checkbox: the option that it stands for.'),
          checked: yesOrNo('Of a radio group or checkbox: whether that option is on.'),
        },
        ['option', 'checked'],
      ),
    ),
  },
  ['label', 'checked', 'options', 'maxLength', 'signature'],
);

/** Reads the fields of a PDF's form from the file itself, without recognition. */
export const formFields: OcrFunction = {
  id: 'FORM_FIELDS',
  alias: 'forms',
  title: 'Form fields',
  description:
    'Reads the fields of a PDF form (AcroForm) exactly as they are stored: full name, type, value, default, options, flags, and the position of each. ' +
    'Nothing is recognised: TEXT_EXTRACTION reads what is printed on a form without fields. ' +
    'A form that also has an XFA description gives the fields of its AcroForm and a warning. Signatures are shown, not verified.',
  acceptedTypes: [PDF_TYPE],
  pageCap: 2000,
  unrecognisedPageMs: 5,
  argsSchema: argsObject({
    pages: {
      ...readingProperties.pages,
      description:
        'Only fields on these pages: numbers and ranges, from 1; -1 is the last page, "5-" runs to the end. All unless given.',
    },
    password: readingProperties.password,
  }),
  resultSchema: {
    $schema: DIALECT,
    ...object(
      'The fields of the form.',
      {
        form: {
          type: 'string',
          enum: ['none', 'acro-form', 'xfa'],
          description: 'Whether the document has a form. Only the AcroForm part of an XFA form is read.',
        },
        fields: list('In the order of the file.', FIELD),
        warnings: list('What could not be read.', object('A warning.', { message: text('For people.') })),
      },
      ['warnings'],
    ),
  },
  output: { extension: '.tsv', print: printFields },
  async run({ path, args, onProgress }) {
    const { readFormFields } = await import('../engine/products/forms/read-form-fields.js');
    const { form, fields, warnings, pageCount } = await readFormFields(path, toSelection(args));
    onProgress(pageCount, pageCount);
    const placed = fields.map(({ widgets, ...field }) => {
      const [first] = widgets;
      return { ...field, page: first?.page ?? null, box: first?.box ?? null, widgets };
    });
    const result = {
      form,
      fields: placed,
      ...(warnings.length > 0 ? { warnings: warnings.map((message) => ({ message })) } : {}),
    };
    return { result, provider: 'pdfium', pageCount };
  },
};

interface Printable {
  name: string;
  type: string;
  value?: unknown;
  page?: unknown;
  flags?: unknown;
  signature?: unknown;
}

function printFields(result: unknown): PrintedTable | undefined {
  const { fields } = (result ?? {}) as { fields?: unknown };
  if (!Array.isArray(fields) || !fields.every(isPrintable)) return undefined;
  return {
    columns: ['Name', 'Type', 'Value', 'Page', 'Flags'],
    rows: fields.map((field) => [
      field.name,
      field.type,
      printValue(field),
      typeof field.page === 'number' ? String(field.page) : '',
      Array.isArray(field.flags) ? field.flags.join(', ') : '',
    ]),
  };
}

function isPrintable(field: unknown): field is Printable {
  const { name, type } = (field ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof type === 'string';
}

function printValue({ value, signature }: Printable): string {
  if (typeof signature === 'object' && signature !== null) {
    const { name } = signature as { name?: unknown };
    return typeof name === 'string' ? `signed by ${name}` : 'signed';
  }
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : '';
}
