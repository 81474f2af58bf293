/** Where everything is kept that is not the user's own; each by default below the home directory. */
const VARIABLES = ['OCR_CONFIG_DIR', 'OCR_STATE_DIR', 'OCR_DATA_DIR'] as const;

/** Codes of a disk, or somebody's part of it, that is full. */
export const NO_SPACE = new Set(['ENOSPC', 'EDQUOT']);

/**
 * What to do about a directory that cannot be written, by the system's code for the reason. Not one variable after the other, where
 * all of them are needed.
 */
export function directoryHint(variable: (typeof VARIABLES)[number], code: string | undefined): string {
  const others = VARIABLES.filter((name) => name !== variable).join(' and ');
  const space = NO_SPACE.has(code ?? '') ? 'Free some space. Or: ' : '';
  return `${space}Set ${variable} to a directory that you can write; ${others} too, where your home directory cannot be written.`;
}
