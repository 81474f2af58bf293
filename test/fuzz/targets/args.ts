import { canonicalJson } from '../../../dist/contract/canonical-json.js';
import { findBackwardsRange, findMissingPages } from '../../../dist/contract/page-ranges.js';
import { findRepeatedName } from '../../../dist/contract/repeated-name.js';
import { DocumentError } from '../../../dist/engine/model/document-error.js';
import { selectPages } from '../../../dist/engine/select-pages.js';
import { catalog } from '../../../dist/functions/catalog.js';
import { ServiceError } from '../../../dist/service/http/service-error.js';
import { parseArgs } from '../../../dist/service/intake/parse-args.js';
import { type FuzzTarget, promise, tolerate } from '../fuzz-target.js';

const PAGE_COUNT = 20;
const MAX_MESSAGE_LENGTH = 2000;

/** The arguments of a call, and the page ranges in them. */
export const args: FuzzTarget = {
  name: 'args',
  seeds: () =>
    [
      '{"format":"markdown","headersFooters":true,"pages":"1-3,7,-1","ocr":"force","languages":["deu","eng"],"password":"p"}',
      '{"pages":"5-"}',
      '{"symbologies":["QRCode","Code128"],"pages":"1"}',
      '{"a":{"b":[1,2.5e3,-0,null,true,"\\u00e4\\n"]},"a":1}',
    ].map((text) => Buffer.from(text)),
  tokens: [
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u0000', '\\ud800', '__proto__', 'constructor', 'null', 'true'],
    ...[
      '"pages":',
      '"languages":',
      '"password":',
      '"format":',
      '1e999',
      '-1',
      '-',
      '1-',
      ',1-20',
      '~',
      '/',
      '\xc3',
      ' ',
    ],
  ],
  runs: 3000,
  async run(bytes) {
    const text = Buffer.from(bytes).toString('utf8');
    for (const target of catalog) {
      const parsed = await tolerate(isServiceError, () => parseArgs(text, target));
      if (parsed === undefined) continue;
      checkCanonical(parsed);
      if (typeof parsed.pages === 'string') await checkPages(parsed.pages);
    }
    await checkPages(text.slice(0, 1000));
    const value = parseJson(text);
    if (value === undefined) return;
    findRepeatedName(text);
  },
};

function isServiceError(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  promise(error.message.length < MAX_MESSAGE_LENGTH, 'a refusal is short');
  return error.code === 'INVALID_ARGS';
}

function checkCanonical(value: Record<string, unknown>): void {
  const canonical = canonicalJson(value);
  promise(canonicalJson(JSON.parse(canonical)) === canonical, 'canonical JSON is canonical');
  const reversed = Object.fromEntries(Object.entries(value).reverse());
  promise(canonicalJson(reversed) === canonical, 'the order of names does not matter');
}

async function checkPages(ranges: string): Promise<void> {
  const isDocumentError = (error: unknown) => error instanceof DocumentError && error.reason === 'invalid-argument';
  const pages = await tolerate(isDocumentError, () => selectPages(ranges, PAGE_COUNT));
  if (pages === undefined) return;
  promise(
    pages.every((page) => page >= 1 && page <= PAGE_COUNT) && new Set(pages).size === pages.length,
    'selected pages are pages of the document, each once',
  );
  promise(findMissingPages(ranges, PAGE_COUNT) === undefined, `client and engine agree on the pages ${ranges}`);
  promise(findBackwardsRange(ranges) === undefined, `client and engine agree on the ranges ${ranges}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
