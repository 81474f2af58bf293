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
export async function checkKey(
  context: Context,
  { baseUrl, apiKey, timeoutMs }: KeyToCheck,
): Promise<OcrError | undefined> {
  const { env, signal, clock, output, version } = context;
  const warning = warnAboutPlainHttp(baseUrl);
  if (warning !== undefined) output.note(warning);
  const { createClient } = await import('../../api/client.js');
  const userAgent = `ocr/${version} node/${process.versions.node}`;
  const locate = async () => ({ baseUrl, apiKey, serverId: baseUrl });
  const api = createClient({ locate, env, timeoutMs, userAgent, signal, clock, debug: output.debug });
  try {
    await api.getCatalog({ isBestEffort: true });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OcrError)) throw error;
    return error;
  } finally {
    await api.close();
  }
}
