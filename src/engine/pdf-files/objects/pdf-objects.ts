import { decodeStream } from './decode-stream.js';
import { toBytes, toName, toNumber } from './decode-value.js';
import { openPdfFile, type PdfFile } from './pdf-file.js';
import { decodeTextString } from './text-string.js';
import {
  attempt,
  isDict,
  isStream,
  NULL,
  type PdfDict,
  type PdfObject,
  type PdfStream,
  type PdfValue,
} from './values.js';

/** Bound of a text or of metadata. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024;
/** All texts of a file: thousands of fields may have the same long text for a name. */
const MAX_ALL_TEXT_BYTES = 64 * 1024 * 1024;
/** All decodings of streams: many fonts may name the same one. A font for each of 2,000 pages has less than 1 MiB. */
const MAX_ALL_DECODED_BYTES = 2 * 1024 * 1024 * 1024;

type Source = Pick<PdfFile, 'trailer' | 'resolve'>;

/**
 * Reads a PDF as far as it can be read: a value that is damaged, missing or of the wrong type is undefined, so that a
 * damaged part costs no more than itself.
 */
export function readPdfObjects(bytes: Uint8Array): PdfObjects {
  const file: Source = attempt(() => openPdfFile(bytes)) ?? { trailer: new Map(), resolve: () => NULL };
  return new PdfObjects({ trailer: file.trailer, resolve: (value) => attempt(() => file.resolve(value)) ?? NULL });
}

/** The objects of a PDF by their types. Throws what its source throws. */
export class PdfObjects {
  readonly trailer: PdfDict;
  readonly #source: Source;
  #textBytes = 0;
  #decodedBytes = 0;

  constructor(source: Source) {
    this.#source = source;
    this.trailer = source.trailer;
  }

  get catalog(): PdfDict {
    return this.dict(this.trailer.get('Root')) ?? new Map();
  }

  /** Follows references; `null` where there is no value. */
  resolve(value: PdfObject | undefined): PdfObject {
    return value === undefined ? NULL : isStream(value) ? value : this.#source.resolve(value);
  }

  dict(value: PdfValue | undefined): PdfDict | undefined {
    const found = this.resolve(value);
    if (isStream(found)) return found.dict;
    return isDict(found) ? found : undefined;
  }

  array(value: PdfValue | undefined): PdfValue[] {
    const found = this.resolve(value);
    return Array.isArray(found) ? found : [];
  }

  number(value: PdfValue | undefined): number | undefined {
    return toNumber(this.resolve(value));
  }

  /** A name without its `/`. */
  name(value: PdfValue | undefined): string | undefined {
    return toName(this.resolve(value));
  }

  /** A text string, or a stream of text. */
  text(value: PdfObject | undefined): string | undefined {
    const found = this.resolve(value);
    if (this.#textBytes > MAX_ALL_TEXT_BYTES) return undefined;
    const bytes = isStream(found) ? this.decode(found) : toBytes(found);
    this.#textBytes += bytes?.length ?? 0;
    return bytes && decodeTextString(bytes);
  }

  /** The bytes of a stream whose only filter is Flate, or that has none. */
  decode(stream: PdfStream): Uint8Array | undefined {
    if (this.#decodedBytes > MAX_ALL_DECODED_BYTES) return undefined;
    const bytes = attempt(() => decodeStream(stream, MAX_STREAM_BYTES, (value) => this.resolve(value)));
    this.#decodedBytes += bytes?.length ?? 0;
    return bytes;
  }
}
