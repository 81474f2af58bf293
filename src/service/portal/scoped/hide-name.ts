import { withoutAdvice } from '../../../contract/foreign-type.js';

/** Takes the name of a file out of what was said of it, which may give it as part of a command. */
export function hideName(message: string | null, fileName: string | null): string | null {
  if (message === null) return null;
  const said = withoutAdvice(message);
  return fileName === null || fileName === '' ? said : said.replaceAll(fileName, '…');
}
