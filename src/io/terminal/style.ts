export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const plain = (text: string): string => text;
export const PLAIN_STYLE: Style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };

export interface ColourOptions {
  isTerminal: boolean;
  /** `--no-color` beats everything. */
  isRefused: boolean;
  env: NodeJS.ProcessEnv;
}

/** chalk reads FORCE_COLOR but not NO_COLOR, and asks one stream for both: so we decide, for each stream. */
export function colourLevel({ isTerminal, isRefused, env }: ColourOptions): 0 | 1 | 2 | 3 {
  if (isRefused) return 0;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0;
    return forced === '2' ? 2 : forced === '3' ? 3 : 1;
  }
  if (env.NO_COLOR) return 0;
  return isTerminal && env.TERM !== 'dumb' ? 1 : 0;
}

export async function createStyle(options: ColourOptions): Promise<Style> {
  const level = colourLevel(options);
  if (level === 0) return PLAIN_STYLE;
  const { Chalk } = await import('chalk');
  return new Chalk({ level });
}
