import type { Box } from '../../model/document.js';

/** What may be looked for, as ZXing names it. Found formats may be variants of these: `MicroPDF417`, `ITF14`, `ISBN`. */
export const BARCODE_FORMATS = [
  'Aztec',
  'Codabar',
  'Code128',
  'Code39',
  'Code93',
  'DataBar',
  'DataMatrix',
  'DXFilmEdge',
  'EAN13',
  'EAN8',
  'ITF',
  'MaxiCode',
  'MicroQRCode',
  'PDF417',
  'QRCode',
  'RMQRCode',
  'Telepen',
  'UPCA',
  'UPCE',
] as const;
export type BarcodeFormat = (typeof BARCODE_FORMATS)[number];

export const CONTENT_TYPES = ['text', 'binary', 'mixed', 'gs1', 'iso15434', 'unknown-eci'] as const;

export interface Barcode {
  /** As in the file, from 1. */
  page: number;
  format: string;
  /** Its text, of GS1 with the identifiers in brackets; null where its bytes are not text. */
  value: string | null;
  contentType: (typeof CONTENT_TYPES)[number];
  /** What it holds, base64: with GS1's separators, and before any character set. */
  bytes: string;
  /** ISO/IEC 15424, like `]C1`; empty where there is none. */
  symbologyIdentifier: string;
  /** On the page as it is displayed. */
  box: Box;
  /** Its own top left, top right, bottom right, bottom left, on the page as it is displayed. */
  corners: [Point, Point, Point, Point];
  /** Degrees, clockwise, by which it is turned: 0-359. */
  rotation: number;
  /** Where several make up one message (structured append). */
  sequence?: { index: number; size: number; id: string };
}

/** [x, y], each 0-1, from the top left. */
export type Point = [number, number];
