import type { ApiClient } from '../../api/client.js';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { warnAboutPlainHttp } from '../../io/messages/plain-http.js';

export interface KeyToCheck {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
}

/**
 * Reads the service's catalog, which any valid key may do. Returns undefined when the key is accepted, or else the error.
 * There is one attempt only: somebody waits for it.
 */
export async function checkKey(context: Context, key: KeyToCheck): Promise<OcrError | undefined> {
  return (await askAboutKey(context, key, async (api) => await api.getCatalog({ isBestEffort: true }))).problem;
}

/** The answer of a service to a question about a key, or the error. */
export interface KeyAnswer<T> {
  answer?: T;
  problem?: OcrError;
}

/** Asks a service something with a key, whatever is set for other commands. */
export async function askAboutKey<T>(
  context: Context,
  { baseUrl, apiKey, timeoutMs }: KeyToCheck,
  ask: (api: ApiClient) => Promise<T>,
): Promise<KeyAnswer<T>> {
  const { env, signal, clock, output, version } = context;
  const warning = warnAboutPlainHttp(baseUrl);
  if (warning !== undefined) output.note(warning);
  const { createClient } = await import('../../api/client.js');
  const userAgent = `ocr/${version} node/${process.versions.node}`;
  const locate = async () => ({ baseUrl, apiKey, serverId: baseUrl });
  const api = createClient({ locate, env, timeoutMs, userAgent, signal, clock, debug: output.debug });
  try {
    return { answer: await ask(api) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OcrError)) throw error;
    return { problem: error };
  } finally {
    await api.close();
  }
}
