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

/** The rights of a reader who is not the owner, by the document's own word. */
export type Permissions = Record<(typeof PERMISSIONS)[number], boolean>;
