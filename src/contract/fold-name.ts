/** Makes names of files comparable: in any case, and in any normal form of Unicode (macOS gives another one than Linux). */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
