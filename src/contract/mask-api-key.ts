/** How a key may be shown anywhere: its prefix, as `ocr_live_`, and its last four characters; of a short one nothing. */
export function maskApiKey(key: string): string {
  const prefix = /^(?:[A-Za-z]{2,8}_){1,2}/.exec(key)?.[0] ?? '';
  return key.length - prefix.length < 16 ? '…' : `${prefix}…${key.slice(-4)}`;
}
