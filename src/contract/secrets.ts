/** Returns the only form in which a key is shown: its prefix (`ocr_live_`) and its last four characters; nothing of a short one. */
export function maskApiKey(key: string): string {
  const prefix = /^(?:[A-Za-z]{2,8}_){1,2}/.exec(key)?.[0] ?? '';
  return key.length - prefix.length < 16 ? '…' : `${prefix}…${key.slice(-4)}`;
}

/** API keys and signing secrets, by the shapes of our own. */
const SECRETS = /\b(?:ocr_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[\w-]{16,})/g;

/** Masks secrets in a message. Messages repeat what was typed, and a key may have been typed in the wrong place. */
export function hideSecrets(text: string): string {
  return text.replace(SECRETS, (secret) => (secret.startsWith('whsec_') ? 'whsec_…' : maskApiKey(secret)));
}
