import { type ServiceFlags, serviceFlags } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';

/** `chosen`: the flags that name the service, which the next command needs too. */
export function noApiKey(baseUrl: string, chosen: ServiceFlags): OcrError {
  return new OcrError('NO_API_KEY', `No API key is configured for ${baseUrl}`, {
    hint: `ocr auth login${serviceFlags(chosen)}   (or set OCR_API_KEY)`,
  });
}
