/** Variables of the directories that this tool writes; each is by default below the home directory. */
const VARIABLES = ['OCR_CONFIG_DIR', 'OCR_STATE_DIR', 'OCR_DATA_DIR'] as const;

/** Returns the hint for a directory that cannot be written; it names all variables at once where all are needed. */
export function directoryHint(variable: (typeof VARIABLES)[number], isDiskFull: boolean): string {
  const others = VARIABLES.filter((name) => name !== variable).join(' and ');
  const space = isDiskFull ? 'Free some space. Or: ' : '';
  return `${space}Set ${variable} to a directory that you can write; ${others} too, where your home directory cannot be written.`;
}
