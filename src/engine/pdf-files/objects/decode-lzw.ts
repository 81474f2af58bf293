import { PdfSyntaxError } from './values.js';

const CLEAR = 256;
const END = 257;
const MAX_CODE_BITS = 12;
/** Entries of a full table. */
const MAX_SEQUENCES = 2 ** MAX_CODE_BITS - END - 1;
/** Ratio of the first room for the output to the data. */
const FIRST_RATIO = 4;

/**
 * Decodes LZW data. `early`: codes get longer one code earlier than they need (EarlyChange). Data without an end code
 * ends where the codes end. Throws PdfSyntaxError for a code that there cannot be yet, and when the result has more
 * than `maxBytes`. Source: ISO 32000-2, 7.4.4.
 */
export function decodeLzw(data: Uint8Array, maxBytes: number, early: boolean): Uint8Array {
  let out = new Uint8Array(Math.min(maxBytes, data.length * FIRST_RATIO));
  let length = 0;
  /** Place of each sequence from the code 258 on in the output, where it was written first. */
  let sequences: Sequence[] = [];
  let last: Sequence | undefined;
  for (const readCode = createCodeReader(data); ; ) {
    const code = readCode(bitsOf(END + 1 + sequences.length + (early ? 1 : 0)));
    if (code === undefined || code === END) return out.subarray(0, length);
    if (code === CLEAR) {
      sequences = [];
      last = undefined;
      continue;
    }
    // A sequence and the byte after it are the next entry, which the code may already mean.
    if (last !== undefined && sequences.length < MAX_SEQUENCES) sequences.push({ from: last.from, to: last.to + 1 });
    const known = sequences[code - END - 1];
    if (code > END && known === undefined) throw new PdfSyntaxError('a stream cannot be decoded');
    const size = known === undefined ? 1 : known.to - known.from;
    if (length + size > maxBytes) throw new PdfSyntaxError('a stream is too large');
    if (length + size > out.length) out = enlarge(out, Math.min(maxBytes, 2 * (length + size)));
    last = { from: length, to: length + size };
    if (known === undefined) out[length++] = code;
    // Byte by byte: an entry may go on with what is written here.
    else for (let at = known.from; at < known.to; at++) out[length++] = out[at] ?? 0;
  }
}

/** A part of the output. */
interface Sequence {
  from: number;
  /** The byte after its last. */
  to: number;
}

function enlarge(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

/** Bits of the next code, where codes up to `next` may come. */
const bitsOf = (next: number): number => Math.min(MAX_CODE_BITS, 32 - Math.clz32(next));

/** Reads codes, their highest bit first; undefined at the end. */
function createCodeReader(data: Uint8Array): (bits: number) => number | undefined {
  let [at, held, heldBits] = [0, 0, 0];
  return (bits) => {
    while (heldBits < bits) {
      if (at >= data.length) return undefined;
      held = ((held << 8) | (data[at++] ?? 0)) & 0xfffff;
      heldBits += 8;
    }
    heldBits -= bits;
    return (held >> heldBits) & ((1 << bits) - 1);
  };
}
