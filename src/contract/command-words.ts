/** The flags that choose a service. */
export interface ServiceFlags {
  profile?: string | undefined;
  baseUrl?: string | undefined;
}

/** Quotes a word for a shell, on one line: control characters go into `$'…'` (POSIX.1-2024, section 2.2.4). */
export function quote(word: string): string {
  if (/^[\w./@%+:,=-]+$/.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, '\\$&').replace(new RegExp(CONTROL, 'g'), escapeControl)}'`;
}

const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Writes three octal digits, which no digit after them can lengthen; a C1 character is escaped by its bytes in UTF-8. */
function escapeControl(char: string): string {
  return [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Returns the flags, each with a space before it; an empty text where none is needed. */
export function serviceFlags({ profile, baseUrl }: ServiceFlags): string {
  const ofProfile = profile === undefined ? '' : ` --profile ${quote(profile)}`;
  return baseUrl === undefined ? ofProfile : `${ofProfile} --base-url ${quote(baseUrl)}`;
}

/** The flags that choose the service that `ocr admin` works on. */
export interface ServiceLocation {
  dataDir?: string | undefined;
  /** Path of a settings file in JSON. */
  configFile?: string | undefined;
  /** Address of a database that processes share. */
  databaseUrl?: string | undefined;
}

/** Adds the flags that choose the service to each `ocr admin` command at the end of a line of `text`. */
export function withLocation(text: string, { dataDir, configFile, databaseUrl }: ServiceLocation): string {
  const flags = [
    dataDir === undefined ? '' : ` --data-dir ${quote(dataDir)}`,
    // The address may hold a password, which is not shown again.
    databaseUrl === undefined ? '' : ' --database-url <url>',
    configFile === undefined ? '' : ` --config ${quote(configFile)}`,
  ].join('');
  return text.replace(/\bocr admin .*$/gm, (command) => command + flags);
}

export interface SentDocument {
  /** The input's name on the command line; null where it is not known. */
  input: string | null;
  function: string | null;
  /** The arguments, with null for a secret: the command asks for it again. */
  args: Record<string, unknown> | null;
  flags: ServiceFlags;
  /** True when the command is to end with the job's id. */
  isAsync?: boolean;
}

/** Returns the command line that sends the same document once more to the same service. */
export function extractCommand({ input, function: id, args, flags, isAsync = false }: SentDocument): string {
  const named = id === null || id === 'TEXT_EXTRACTION' ? '' : ` -f ${quote(id)}`;
  return `ocr extract${serviceFlags(flags)}${isAsync ? ' --no-wait' : ''}${named}${argumentFlags(args ?? {})} ${inputWord(input)}`;
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

/** Keeps a file name that begins with a dash from being read as a flag; a dash alone is standard input. */
function inputWord(input: string | null): string {
  if (input === null) return '<file>';
  return quote(input.startsWith('-') && input !== '-' ? `./${input}` : input);
}
