/** What every function of ours reads, as `sniffType` names it. */
export const DOCUMENT_TYPES: readonly string[] = [
  'application/pdf',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
];
