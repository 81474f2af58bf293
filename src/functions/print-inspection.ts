import { countOf } from '../contract/count-of.js';
import type { PrintedTable } from './function.js';

type Json = Record<string, unknown>;

/** A property a line; what is not known, or is none, is left out. */
export function printInspection(result: unknown): PrintedTable | undefined {
  const { mimeType, pageCount, pages, sizeBytes, pagesNeedingOcr, pdf, image } = (result ?? {}) as Json;
  if (typeof mimeType !== 'string' || typeof pageCount !== 'number' || !Array.isArray(pages)) return undefined;
  if (!pages.every(isPage)) return undefined;
  const rows: [string, unknown][] = [
    ['Type', mimeType],
    ['Size', typeof sizeBytes === 'number' ? countOf(sizeBytes, 'byte') : undefined],
    ['Pages', pageCount],
    ...groupPages(pages, ({ width, height, unit }) => `${width} x ${height} ${unit === 'point' ? 'pt' : 'px'}`).map(
      ([size, numbers]): [string, string] => ['Page size', `${size} (${numbers})`],
    ),
    ...groupPages(pages, describeTextLayer).map(([text, numbers]): [string, string] => [
      'Text layer',
      `${text} (${numbers})`,
    ]),
    ['Needs recognition', typeof pagesNeedingOcr === 'string' ? pagesNeedingOcr : 'no page'],
    ...(isJson(pdf) ? describePdf(pdf) : []),
    ...(isJson(image) ? describeImage(image) : []),
  ];
  const told = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return { columns: ['Property', 'Value'], rows: told.map(([name, value]) => [name, String(value)]) };
}

interface PrintablePage {
  page: number;
  width: number;
  height: number;
  unit: string;
  textLayer: { verdict: string; reasons: string[] };
}

function describeTextLayer({ textLayer: { verdict, reasons } }: PrintablePage): string {
  return reasons.length > 0 ? `${verdict}: ${reasons.join(', ')}` : verdict;
}

function describePdf(pdf: Json): [string, unknown][] {
  const { metadata, encryption, fonts, form, outline, attachments } = pdf;
  const facts = isJson(metadata) ? Object.entries(metadata) : [];
  return [
    ['PDF version', pdf.version],
    ['Conformance', pdf.conformance],
    ['Encryption', isJson(encryption) ? describeEncryption(encryption) : 'none'],
    ...facts.map(([name, value]): [string, unknown] => [name.charAt(0).toUpperCase() + name.slice(1), value]),
    ['Language', pdf.language],
    ['Tagged', pdf.isTagged === true ? 'yes' : 'no'],
    ['Form', isJson(form) && form.kind !== 'none' ? `${form.kind}, ${form.fields} fields` : undefined],
    ['Signatures', pdf.signatures === 0 ? undefined : pdf.signatures],
    ['Bookmarks', Array.isArray(outline) && outline.length > 0 ? outline.length : undefined],
    ...(Array.isArray(attachments) ? attachments : []).map((name): [string, unknown] => ['Attachment', name]),
    ...(Array.isArray(fonts) ? fonts : [])
      .filter(isJson)
      .map((font): [string, unknown] => ['Font', describeFont(font)]),
  ];
}

function describeEncryption({ algorithm, keyBits, opensWithoutPassword, permissions }: Json): string {
  const forbidden = isJson(permissions) ? Object.keys(permissions).filter((name) => permissions[name] === false) : [];
  const parts = [
    [algorithm, keyBits].filter((part) => part !== null && part !== undefined).join(' '),
    opensWithoutPassword === true ? 'opens without a password' : 'opens with a password',
    ...(forbidden.length > 0 ? [`not allowed: ${forbidden.join(', ')}`] : []),
  ];
  return parts.join('; ');
}

function describeFont({ name, type, isEmbedded, hasUnicodeMap }: Json): string {
  const embedded = isEmbedded === true ? 'embedded' : 'not embedded';
  return [name, type, embedded, ...(hasUnicodeMap === false ? ['no map to Unicode'] : [])].filter(Boolean).join(', ');
}

function describeImage(image: Json): [string, unknown][] {
  return [
    ['Format', image.format],
    ['Frames', image.frames === 1 ? undefined : image.frames],
    ['Resolution', image.dpi === null ? undefined : `${image.dpi} dpi`],
    [
      'Colour',
      `${image.colorSpace}, ${image.channels} x ${image.bitsPerChannel} bits${image.hasAlpha ? ', transparent' : ''}`,
    ],
  ];
}

/** Groups pages by their description and lists their numbers: "1-3, 7". */
function groupPages(pages: readonly PrintablePage[], describe: (entry: PrintablePage) => string): [string, string][] {
  const groups = new Map<string, [first: number, last: number][]>();
  for (const entry of pages) {
    const { page } = entry;
    const key = describe(entry);
    const runs = groups.get(key) ?? [];
    groups.set(key, runs);
    const run = runs.at(-1);
    if (run?.[1] === page - 1) run[1] = page;
    else runs.push([page, page]);
  }
  return [...groups].map(([key, runs]) => [
    key,
    runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', '),
  ]);
}

function isPage(value: unknown): value is PrintablePage {
  if (!isJson(value) || !isJson(value.textLayer)) return false;
  const { verdict, reasons } = value.textLayer;
  const numbers = [value.page, value.width, value.height];
  return numbers.every((number) => typeof number === 'number') && typeof verdict === 'string' && Array.isArray(reasons);
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
