export const PERMISSIONS = [
  'print',
  'printHighQuality',
  'modify',
  'copy',
  'annotate',
  'fillForms',
  'accessibility',
  'assemble',
] as const;

/** What somebody who is not the owner may do, by the document's own word. */
export type Permissions = Record<(typeof PERMISSIONS)[number], boolean>;
