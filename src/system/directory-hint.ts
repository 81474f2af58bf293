/** Where everything is kept that is not the user's own; each by default below the home directory. */
const VARIABLES = ['OCR_CONFIG_DIR', 'OCR_STATE_DIR', 'OCR_DATA_DIR'] as const;

/** What to do about a directory that cannot be written. Not one variable after the other, where all of them are needed. */
export function directoryHint(variable: (typeof VARIABLES)[number], isDiskFull: boolean): string {
  const others = VARIABLES.filter((name) => name !== variable).join(' and ');
  const space = isDiskFull ? 'Free some space. Or: ' : '';
  return `${space}Set ${variable} to a directory that you can write; ${others} too, where your home directory cannot be written.`;
}
