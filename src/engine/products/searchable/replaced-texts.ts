import { isSpace, PdfParser } from '../../pdf-files/objects/parser.js';
import type { PdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import {
  attempt,
  isDict,
  isRef,
  isStream,
  type PdfDict,
  type PdfObject,
  type PdfValue,
  serialise,
} from '../../pdf-files/objects/values.js';
import type { ObjectWriter } from '../../pdf-files/objects/write-pdf.js';

const KEY = 'ActualText';
/** Depth of forms within forms. */
const MAX_FORM_DEPTH = 20;

export interface Content {
  /** Streams, or references to them. */
  contents: PdfValue[];
  resources: PdfDict;
}

/**
 * Removes the texts that replace parts of a page's content (`/ActualText`, ISO 32000-1, 14.9.4) from it and from the
 * forms that it draws: of marks within each other, poppler knows only the last one that began, and none after its end.
 * Texts that the resources describe stay: poppler does not know them. The drawing stays the same, and so does content
 * without such texts.
 */
export function createTextRemover(objects: PdfObjects, writer: ObjectWriter): (content: Content) => Content {
  const forms = new Map<number, PdfValue>();
  return ({ contents, resources }) => {
    const streams = contents.map((value) => decode(objects.resolve(value)));
    const edited = streams.every((bytes) => bytes !== undefined) ? editContent(join(streams)) : undefined;
    return {
      contents: edited === undefined ? contents : [writer.addDeflated(edited)],
      resources: editForms(resources, 0) ?? resources,
    };
  };

  function decode(found: PdfObject): Uint8Array | undefined {
    return isStream(found) ? objects.decode(found) : undefined;
  }

  /** Resources with the edited forms; undefined where no form was edited. */
  function editForms(resources: PdfDict | undefined, depth: number): PdfDict | undefined {
    const drawn = objects.dict(resources?.get('XObject')) ?? new Map<string, PdfValue>();
    const edited: PdfDict = new Map([...drawn].map(([name, value]) => [name, editForm(value, depth)]));
    const isSame = [...drawn].every(([name, value]) => edited.get(name) === value);
    return isSame ? undefined : new Map([...(resources ?? []), ['XObject', edited]]);
  }

  function editForm(value: PdfValue, depth: number): PdfValue {
    if (!isRef(value) || depth > MAX_FORM_DEPTH) return value;
    const known = forms.get(value.number);
    if (known !== undefined) return known;
    // A form may draw itself.
    forms.set(value.number, value);
    const form = objects.resolve(value);
    if (!isStream(form) || objects.name(form.dict.get('Subtype')) !== 'Form') return value;
    const bytes = objects.decode(form);
    const resources = editForms(objects.dict(form.dict.get('Resources')), depth + 1);
    const edited = bytes && editContent(Buffer.from(bytes));
    if (bytes === undefined || (edited === undefined && resources === undefined)) return value;
    const dict: PdfDict = new Map(form.dict);
    dict.delete('DecodeParms');
    if (resources !== undefined) dict.set('Resources', resources);
    const written = writer.addDeflated(edited ?? bytes, dict);
    forms.set(value.number, written);
    return written;
  }
}

const without = (dict: PdfDict): PdfDict => new Map([...dict].filter(([key]) => key !== KEY));

const join = (streams: readonly Uint8Array[]): Buffer =>
  Buffer.concat(streams.flatMap((bytes) => [bytes, Buffer.from('\n')]));

/** The content without its replaced texts; undefined where it has none. The rest behind a syntax error stays as it is. */
function editContent(content: Buffer): Buffer | undefined {
  if (!content.includes(`/${KEY}`)) return undefined;
  const parser = new PdfParser(content, 0);
  const pieces: Uint8Array[] = [];
  let copied = 0;
  let operand: { value: PdfValue; from: number; to: number } | undefined;
  const readNext = (): boolean => {
    parser.skipSpace();
    const from = parser.at;
    if (from >= content.length) return false;
    const value = parser.readValue();
    if (value === 'BDC' && operand !== undefined && isDict(operand.value) && operand.value.has(KEY)) {
      pieces.push(content.subarray(copied, operand.from), Buffer.from(serialise(without(operand.value)), 'latin1'));
      copied = operand.to;
    }
    if (value === 'ID') parser.at = endOfPicture(content, parser.at);
    operand = { value, from, to: parser.at };
    return true;
  };
  while (attempt(readNext) === true);
  return pieces.length === 0 ? undefined : Buffer.concat([...pieces, content.subarray(copied)]);
}

/** The end of the data of an inline picture. */
function endOfPicture(content: Buffer, from: number): number {
  for (let at = content.indexOf('EI', from); at !== -1; at = content.indexOf('EI', at + 1)) {
    if (isSpace(content[at - 1]) && (at + 2 === content.length || isSpace(content[at + 2]))) return at;
  }
  return content.length;
}
