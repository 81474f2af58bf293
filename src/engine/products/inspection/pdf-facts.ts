import type { Encryption } from './read-encryption.js';
import type { PdfFont } from './read-fonts.js';
import type { PdfMetadata } from './read-metadata.js';
import type { OutlineItem } from './read-outline.js';

/** Facts of a whole PDF, not of its pages. */
export interface PdfFacts {
  /** The version, like "1.7". */
  version: string | null;
  /** The standard that the file claims to meet, like "PDF/A-2b": it is not checked. */
  conformance: string | null;
  encryption: Encryption | null;
  metadata: PdfMetadata;
  /** The language of its text, as RFC 5646 names it ("de-CH"). */
  language: string | null;
  /** True when it describes the structure of its content. */
  isTagged: boolean;
  fonts: PdfFont[];
  outline: OutlineItem[];
  attachments: string[];
  form: { kind: 'none' | 'acro-form' | 'xfa'; fields: number };
  signatures: number;
}
