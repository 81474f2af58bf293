import type { Encryption } from './read-encryption.js';
import type { PdfFont } from './read-fonts.js';
import type { PdfMetadata } from './read-metadata.js';
import type { OutlineItem } from './read-outline.js';

/** What is said of a whole PDF, not of its pages. */
export interface PdfFacts {
  /** "1.7" */
  version: string | null;
  /** "PDF/A-2b", as the file says itself: it is not checked. */
  conformance: string | null;
  encryption: Encryption | null;
  metadata: PdfMetadata;
  /** The language of its text, as RFC 5646 names it ("de-CH"). */
  language: string | null;
  /** Whether it says how its content is structured. */
  isTagged: boolean;
  fonts: PdfFont[];
  outline: OutlineItem[];
  attachments: string[];
  form: { kind: 'none' | 'acro-form' | 'xfa'; fields: number };
  signatures: number;
}
