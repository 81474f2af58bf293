import { PdfSyntaxError } from './values.js';

const CLEAR = 256;
const END = 257;
const MAX_CODE_BITS = 12;

/**
 * Decodes LZW data. `early`: codes get longer one code earlier than they need (EarlyChange). Data without an end code
 * ends where the codes end. Throws PdfSyntaxError for a code that there cannot be yet, and when the result has more
 * than `maxBytes`. Source: ISO 32000-2, 7.4.4.
 */
export function decodeLzw(data: Uint8Array, maxBytes: number, early: boolean): Uint8Array {
  const out: number[] = [];
  /** Place of each sequence from the code 258 on in the output, where it was written first. */
  let sequences: { from: number; to: number }[] = [];
  let last: { from: number; to: number } | undefined;
  for (const readCode = createCodeReader(data); ; ) {
    const code = readCode(bitsOf(END + 1 + sequences.length + (early ? 1 : 0)));
    if (code === undefined || code === END) return Uint8Array.from(out);
    if (code === CLEAR) {
      sequences = [];
      last = undefined;
      continue;
    }
    // A sequence and the byte after it are the next entry, which the code may already mean.
    if (last !== undefined) sequences.push({ from: last.from, to: last.to + 1 });
    const from = out.length;
    const known = sequences[code - END - 1];
    if (code < CLEAR) out.push(code);
    else if (known === undefined) throw new PdfSyntaxError('a stream cannot be decoded');
    else for (let at = known.from; at < known.to; at++) out.push(out[at] ?? 0);
    if (out.length > maxBytes) throw new PdfSyntaxError('a stream is too large');
    last = { from, to: out.length };
  }
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
