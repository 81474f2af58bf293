import { join } from 'node:path';
import type { CatalogCache } from '../api/catalog/catalog-cache.js';
import { type ApiClient, createClient } from '../api/client.js';
import type { Clock } from '../contract/clock.js';
import type { ServiceFlags } from '../contract/command-words.js';
import type { LocateService } from '../contract/endpoint.js';
import type { Output } from '../io/output/output.js';
import type { ProgressOptions } from '../io/terminal/progress.js';
import type { Directories } from '../settings/directories.js';
import type { ServerSetting, Settings } from '../settings/resolve-settings.js';

export interface ConnectOptions extends ProgressOptions {
  output: Output;
  signal: AbortSignal;
  clock: Clock;
  /** The version of this tool. */
  version: string;
  directories: Directories;
}

/** Makes the client of a service. `chosen` are the flags that name it. @throws OcrError NO_API_KEY */
export type Connect = (settings: Settings, chosen: ServiceFlags) => Promise<ApiClient>;

/** A warning about plain HTTP is printed once for each address, however many clients are made. */
export function createConnector(options: ConnectOptions): Connect {
  const { io, env, flags, output, signal, clock, version, directories } = options;
  const printed = new Set<string>();
  const catalogCache = createCatalogCache(options);
  const userAgent = `ocr/${version} node/${process.versions.node}`;
  const showRetries = async () => {
    const { createProgress } = await import('../io/terminal/progress.js');
    return createProgress({ io, output, flags, env });
  };

  async function warnOnce(baseUrl: string): Promise<void> {
    const { warnAboutPlainHttp } = await import('../io/messages/plain-http.js');
    const warning = warnAboutPlainHttp(baseUrl);
    if (warning === undefined || printed.has(warning)) return;
    printed.add(warning);
    output.note(warning);
  }

  async function createLocator(server: ServerSetting, chosen: ServiceFlags): Promise<LocateService> {
    if (server.kind === 'local') {
      const { ensureLocalService } = await import('../local/service-locator.js');
      const { dataDir } = directories;
      return async () => await ensureLocalService({ dataDir, version, env, note: output.debug, signal });
    }
    const { baseUrl, apiKey } = server;
    if (apiKey === undefined) throw (await import('../settings/no-api-key.js')).noApiKey(baseUrl, chosen);
    if (baseUrl.startsWith('http:')) await warnOnce(baseUrl);
    return async () => ({ baseUrl, apiKey: apiKey.value, serverId: baseUrl });
  }

  return async (settings, chosen) => {
    const locate = await createLocator(settings.server.value, chosen);
    const timeoutMs = settings.timeoutMs.value;
    const { debug } = output;
    return createClient({ locate, env, timeoutMs, userAgent, signal, clock, debug, catalogCache, showRetries });
  };
}

/** Loads the cache on first use: most commands do not ask for the catalog. */
function createCatalogCache({ directories, output, clock }: ConnectOptions): CatalogCache {
  let cache: Promise<CatalogCache> | undefined;
  const open = async () => {
    const { openCatalogCache } = await import('../api/catalog/catalog-cache.js');
    return openCatalogCache(async () => join(directories.stateDir, 'catalogs'), output.debug, clock.now);
  };
  const opened = () => {
    cache ??= open();
    return cache;
  };
  return {
    read: async (endpoint) => await (await opened()).read(endpoint),
    write: async (endpoint, catalog) => await (await opened()).write(endpoint, catalog),
  };
}
