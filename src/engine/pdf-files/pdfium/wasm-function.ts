import { WebAssembly } from './web-assembly.js';

const I32 = 0x7f;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];

/**
 * Makes a function that C can call by a pointer: PDFium's function table takes WebAssembly's functions alone. The
 * module only passes the call on: it imports `e.f`, of so many 32-bit integers to one, and exports it again as `f`.
 */
export function toWasmFunction(f: (...integers: number[]) => number, parameters: number): unknown {
  const type = [0x60, parameters, ...Array.from({ length: parameters }, () => I32), 1, I32];
  const module = Uint8Array.from([
    ...HEADER,
    ...section(1, [1, ...type]),
    ...section(2, [1, 1, 0x65, 1, 0x66, 0, 0]),
    ...section(7, [1, 1, 0x66, 0, 0]),
  ]);
  return new WebAssembly.Instance(new WebAssembly.Module(module), { e: { f } }).exports.f;
}
