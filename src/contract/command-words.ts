/** The flags that choose a service. */
export interface ServiceFlags {
  profile?: string | undefined;
  baseUrl?: string | undefined;
}

/** As a shell takes it for one word, on one line: with control characters as `$'…'` (POSIX.1-2024, section 2.2.4). */
export function quote(word: string): string {
  if (/^[\w./@%+:,=-]+$/.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, '\\$&').replace(new RegExp(CONTROL, 'g'), escapeControl)}'`;
}

const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Three octal digits, which no digit after them can lengthen; C1 by its bytes in UTF-8. */
function escapeControl(char: string): string {
  return [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Each with a space before it; nothing where none is needed. */
export function serviceFlags({ profile, baseUrl }: ServiceFlags): string {
  const ofProfile = profile === undefined ? '' : ` --profile ${quote(profile)}`;
  return baseUrl === undefined ? ofProfile : `${ofProfile} --base-url ${quote(baseUrl)}`;
}

/** The flags that choose the service that `ocr admin` works on. */
export interface ServiceLocation {
  dataDir?: string | undefined;
  /** Path of a JSON file. */
  configFile?: string | undefined;
}

/** Text in which `ocr admin` commands stand at the ends of lines, each of them with the flags that choose its service. */
export function withLocation(text: string, { dataDir, configFile }: ServiceLocation): string {
  const directory = dataDir === undefined ? '' : ` --data-dir ${quote(dataDir)}`;
  const flags = configFile === undefined ? directory : `${directory} --config ${quote(configFile)}`;
  return text.replace(/\bocr admin .*$/gm, (command) => command + flags);
}

export interface SentDocument {
  /** As it was named; null where that is not known. */
  input: string | null;
  function: string | null;
  /** With null for a secret, which is asked for. */
  args: Record<string, unknown> | null;
  flags: ServiceFlags;
}

/** The command that sends the same once more to the same service, as it is typed. */
export function extractCommand({ input, function: id, args, flags }: SentDocument): string {
  const named = id === null || id === 'TEXT_EXTRACTION' ? '' : ` -f ${quote(id)}`;
  return `ocr extract${serviceFlags(flags)}${named}${argumentFlags(args ?? {})} ${inputWord(input)}`;
}

function argumentFlags(args: Record<string, unknown>): string {
  const words: string[] = [];
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (!/^\w[\w.-]*$/.test(name) || (typeof value === 'object' && value !== null)) others[name] = value;
    else words.push(`-a ${quote(value === null ? name : `${name}=${String(value)}`)}`);
  }
  if (Object.keys(others).length > 0) words.unshift(`--args ${quote(JSON.stringify(others))}`);
  return words.map((word) => ` ${word}`).join('');
}

/** A file whose name begins with a dash would be taken for a flag; a dash alone is standard input. */
function inputWord(input: string | null): string {
  if (input === null) return '<file>';
  return quote(input.startsWith('-') && input !== '-' ? `./${input}` : input);
}
