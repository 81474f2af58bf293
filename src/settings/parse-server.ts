import { OcrError } from '../contract/ocr-error.js';

/** Origin and path of a service's address, without a trailing slash. @throws OcrError CONFIG_INVALID */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The message does not repeat a text that may be a password or a key.
    const shown = /[@?#]|^\w{3,}_\w{16,}/.test(text) ? '' : `: ${text}`;
    throw invalid(`${source} is not an http or https address${shown}`, 'Example: https://ocr.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(`${source} holds a user name or password`, 'The key goes into OCR_API_KEY.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalid(`${source} must end with its path`, 'Leave out what follows "?" or "#".');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** A key as it can stand in a header. @throws OcrError CONFIG_INVALID, without the key */
export function parseApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid('The API key holds spaces or characters that no key has', 'Copy it again, as it was shown.');
}

function invalid(message: string, hint: string): OcrError {
  return new OcrError('CONFIG_INVALID', message, { hint });
}
