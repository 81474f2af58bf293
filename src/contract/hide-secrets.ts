import { maskApiKey } from './mask-api-key.js';

/** API keys and signing secrets, by the shapes that ours have. */
const SECRETS = /\b(?:ocr_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[\w-]{16,})/g;

/** What was typed in the wrong place must not end in a terminal's history or a log: messages repeat what they are about. */
export function hideSecrets(text: string): string {
  return text.replace(SECRETS, (secret) => (secret.startsWith('whsec_') ? 'whsec_…' : maskApiKey(secret)));
}
