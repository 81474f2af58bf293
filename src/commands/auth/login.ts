import type { Context } from '../../context.js';
import { parseDurationMs } from '../../contract/duration.js';
import { OcrError } from '../../contract/ocr-error.js';
import { maskApiKey } from '../../contract/secrets.js';
import { decodeText } from '../../io/input/decode-text.js';
import { readStandardInput } from '../../io/input/standard-input.js';
import { canPrompt } from '../../io/terminal/can-prompt.js';
import { parseApiKey, parseBaseUrl } from '../../settings/parse-server.js';
import { resolveAddress, resolveText } from '../../settings/resolve-settings.js';
import { readSettingsFile } from '../../settings/settings-file.js';
import { changeSettings } from '../../settings/settings-store.js';
import { chooseTarget, openTarget, setAddress } from '../../settings/target-profile.js';
import { checkKey } from './check-key.js';

export interface LoginOptions {
  /** True when the key comes on standard input. */
  withToken: boolean;
}

/** Longer than any key; a file piped in by mistake must not fill the memory. */
const MAX_KEY_BYTES = 4096;

/**
 * Stores a key for a profile's service after that service has accepted it.
 * @throws OcrError USAGE without a service or a key; the service's refusal of the key
 */
export async function login(context: Context, { withToken }: LoginOptions): Promise<void> {
  const { flags, env, output } = context;
  const { configDir } = await context.directories();
  const stored = await readSettingsFile(configDir);
  const sources = { flags, env, stored };
  const target = chooseTarget(sources, { isAddress: true });
  const profileValues = stored.profiles[target.name] ?? {};
  const address = resolveAddress({ flag: flags.baseUrl, env, profile: { value: target.name }, values: profileValues });
  const baseUrl = address?.value ?? (await askForAddress(context, withToken));
  const apiKey = parseApiKey(await (withToken ? readToken(context) : askForKey(context, baseUrl)));
  const timeoutMs = flags.timeoutMs ?? parseDurationMs(resolveText('timeout', target.name, profileValues).value) ?? 0;
  const refusal = await checkKey(context, { baseUrl, apiKey, timeoutMs });
  if (refusal !== undefined) {
    if (refusal.status !== 401 && refusal.status !== 403) throw refusal;
    const message = `${baseUrl} refuses the key ${maskApiKey(apiKey)}: ${refusal.message}`;
    throw refusal.with({ message, hint: 'The key was not stored.' });
  }
  await changeSettings(configDir, (settings) => {
    const values = openTarget(settings, target);
    setAddress(values, baseUrl);
    values['api-key'] = apiKey;
  });
  if (output.isJson) {
    return await output.json({ profile: target.name, baseUrl, key: maskApiKey(apiKey), accepted: true });
  }
  output.note(`The key ${maskApiKey(apiKey)} for ${baseUrl} is stored in the profile "${target.name}".`);
  const isUsed = target.isChosenNow || stored.profile === target.name;
  if (!isUsed) output.note(`Use it with --profile ${target.name}, or always: ocr config set profile ${target.name}`);
}

/** Asks for the address of the service where none is set. @throws OcrError USAGE without a terminal, CONFIG_INVALID for no address */
async function askForAddress({ flags, io, signal }: Context, withToken: boolean): Promise<string> {
  if (!withToken && canPrompt({ flags, io })) {
    const { promptText } = await import('../../io/terminal/prompt-text.js');
    const typed = await promptText('Address of the service', { stdin: io.stdin, stderr: io.stderr, signal });
    // A host alone is what people remember of an address.
    if (typed !== '')
      return parseBaseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`, 'The address');
  }
  throw new OcrError('USAGE', 'There is no service to log in to; the one on this machine needs no key', {
    hint: 'Name it: ocr auth login --base-url https://ocr.example.com',
  });
}

async function readToken({ io, signal }: Context): Promise<string> {
  if (io.stdin.isTTY) {
    throw new OcrError('USAGE', '--with-token reads the key from standard input, which is a terminal', {
      hint: 'Leave it out to be asked for the key, or pipe the key in: ocr auth login --with-token < key-file',
    });
  }
  const bytes = await readStandardInput(io.stdin, signal, MAX_KEY_BYTES);
  if (bytes.length > MAX_KEY_BYTES) throw new OcrError('USAGE', 'Standard input is too long for a key');
  const key = decodeText(bytes).trim();
  if (key !== '') return key;
  throw new OcrError('USAGE', 'There is no key on standard input', { hint: 'ocr auth login --with-token < key-file' });
}

async function askForKey({ flags, io, signal }: Context, baseUrl: string): Promise<string> {
  if (!canPrompt({ flags, io })) {
    throw new OcrError('USAGE', 'The key cannot be asked for without a terminal', {
      hint: 'Pipe it in: ocr auth login --with-token < key-file',
    });
  }
  const { promptSecret } = await import('../../io/terminal/prompt-secret.js');
  const key = (await promptSecret(`API key for ${baseUrl}`, { stdin: io.stdin, stderr: io.stderr, signal })).trim();
  if (key !== '') return key;
  throw new OcrError('USAGE', 'No key was given; nothing was stored');
}
