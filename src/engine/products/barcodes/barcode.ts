import type { Box } from '../../model/document.js';

/** Formats to look for, by ZXing's names. Found formats may be variants of these: `MicroPDF417`, `ITF14`, `ISBN`. */
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
  /** Page number in the file, from 1. */
  page: number;
  format: string;
  /** The text; for GS1 with the identifiers in brackets; null where the bytes are not text. */
  value: string | null;
  contentType: (typeof CONTENT_TYPES)[number];
  /** The bytes, base64: with GS1's separators, and before any character set. */
  bytes: string;
  /** Identifier of ISO/IEC 15424, like `]C1`; empty where there is none. */
  symbologyIdentifier: string;
  /** Box on the page as it is displayed. */
  box: Box;
  /** The code's own top left, top right, bottom right, bottom left, on the page as it is displayed. */
  corners: [Point, Point, Point, Point];
  /** Degrees, clockwise, by which it is turned: 0-359. */
  rotation: number;
  /** Place in a message of several codes (structured append). */
  sequence?: { index: number; size: number; id: string };
}

/** A point [x, y], each 0-1, from the top left. */
export type Point = [number, number];
