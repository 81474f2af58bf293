import { toName, toNumber } from '../../pdf-files/objects/decode-value.js';
import { findEncryption } from '../../pdf-files/objects/find-encryption.js';
import { isDict, type PdfDict, type PdfValue } from '../../pdf-files/objects/values.js';
import type { PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import type { Permissions } from './permissions.js';

export interface Encryption {
  algorithm: 'RC4' | 'AES' | 'unknown';
  keyBits: number | null;
  /** True when it opens for everybody; the owner's rights are named below. */
  opensWithoutPassword: boolean;
  permissions: Permissions;
}

/** Bits of `P`, counted from 1 (ISO 32000-1, table 22); revision 2 knows the first four alone. */
const BITS: readonly (readonly [name: keyof Permissions, bit: number, inRevision2: number])[] = [
  ['print', 3, 3],
  ['printHighQuality', 12, 3],
  ['modify', 4, 4],
  ['copy', 5, 5],
  ['annotate', 6, 6],
  ['fillForms', 9, 6],
  ['accessibility', 10, 5],
  ['assemble', 11, 4],
];

/** Describes the encryption of an open document; null when it has none. `file` is the file that was opened. */
export function readEncryption(
  { pdfium, handle }: PdfDocument,
  file: Buffer,
): Omit<Encryption, 'opensWithoutPassword'> | null {
  const revision = pdfium._FPDF_GetSecurityHandlerRevision(handle);
  if (revision === -1) return null;
  const bits = pdfium._FPDF_GetDocUserPermissions(handle);
  const isAllowed = (bit: number): boolean => (bits & (1 << (bit - 1))) !== 0;
  const permissions = BITS.map(([name, bit, early]) => [name, isAllowed(revision === 2 ? early : bit)]);
  return { ...readAlgorithm(findEncryption(file)?.dict), permissions: Object.fromEntries(permissions) as Permissions };
}

function readAlgorithm(dict: PdfDict | undefined): Pick<Encryption, 'algorithm' | 'keyBits'> {
  const inner = (value: PdfValue | undefined) => (isDict(value) ? value : undefined);
  const version = toNumber(dict?.get('V'));
  if (version === 1) return { algorithm: 'RC4', keyBits: 40 };
  if (version === 2 || version === 3) return { algorithm: 'RC4', keyBits: toNumber(dict?.get('Length')) ?? 40 };
  if (version === 5) return { algorithm: 'AES', keyBits: 256 };
  const filter = toName(dict?.get('StmF')) ?? 'StdCF';
  const method = toName(inner(inner(dict?.get('CF'))?.get(filter))?.get('CFM'));
  if (version !== 4 || method === undefined) return { algorithm: 'unknown', keyBits: null };
  if (method === 'V2') return { algorithm: 'RC4', keyBits: 128 };
  return method === 'AESV2' ? { algorithm: 'AES', keyBits: 128 } : { algorithm: 'unknown', keyBits: null };
}
