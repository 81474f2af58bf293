/**
 * Text that a person's editor or shell wrote: UTF-8, or UTF-16 where a byte order mark says so, as PowerShell writes it. The
 * mark is no part of it: it would hide in the first name of a list.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
