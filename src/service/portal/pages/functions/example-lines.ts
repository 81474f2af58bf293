import { quote } from '../../../../contract/command-words.js';
import type { OcrFunction } from '../../../../functions/function.js';

/** Lines that call a function of this service: for curl, and for the command line. */
export function renderLines({ id, alias, output }: OcrFunction, origin: string): { curl: string; extract: string } {
  const url = quote(`${origin}/v1/ocr/${id}`);
  const target = output.isBinary === true ? ` -o out${output.extension}` : '';
  return {
    curl: `curl -H "Authorization: Bearer $OCR_API_KEY" \\\n  -F file=@file.pdf ${url}`,
    extract: `ocr extract -f ${alias ?? id} --base-url ${quote(origin)}${target} file.pdf`,
  };
}
