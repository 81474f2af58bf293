/** Characters that Windows refuses in a name. A colon would write into a stream beside the file. */
const REFUSED_CHARACTERS = /[\u0000-\u001f<>:"/\\|?*]/g;
/** Names of devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** Returns a name that the system takes for an ordinary file: on Windows with `_` for what it refuses, elsewhere unchanged. */
export function fileName(name: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return name;
  return name
    .replace(REFUSED_CHARACTERS, '_')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
    .replace(DEVICE, '$&_');
}
