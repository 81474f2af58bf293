/** How a key may be shown anywhere: its prefix, as `ocr_live_`, and its last four characters; of a short one nothing. */
export function maskApiKey(key: string): string {
  const prefix = /^(?:[A-Za-z]{2,8}_){1,2}/.exec(key)?.[0] ?? '';
  return key.length - prefix.length < 16 ? '…' : `${prefix}…${key.slice(-4)}`;
}

/** API keys and signing secrets, by the shapes that ours have. */
const SECRETS = /\b(?:ocr_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[\w-]{16,})/g;

/** What was typed in the wrong place must not end in a terminal's history or a log: messages repeat what they are about. */
export function hideSecrets(text: string): string {
  return text.replace(SECRETS, (secret) => (secret.startsWith('whsec_') ? 'whsec_…' : maskApiKey(secret)));
}
