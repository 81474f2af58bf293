import type { Context } from '../context.js';

/** The settings that flags give, as they are typed. */
export interface ServeOptions {
  host?: string;
  port?: string;
  dataDir?: string;
  workers?: string;
  databaseUrl?: string;
  role?: string;
  blobsUrl?: string;
  /** Path of a JSON file. */
  config?: string;
  printConfig?: boolean;
}

/**
 * Runs the service in the foreground until it is told to stop, or until its idle time is over.
 * @throws OcrError CONFIG_INVALID, DATA_DIR_LOCKED, DATA_DIR_UNWRITABLE (also when the directory was removed), PORT_TAKEN
 */
export async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { config: configFile, printConfig = false, ...flags } = options;
  const { loadServiceConfig } = await import('../service/config/service-config.js');
  const loaded = loadServiceConfig({ flags, env: context.env, configFile });
  if (printConfig) {
    for (const warning of loaded.warnings) context.output.note(`ocr: ${warning}`);
    return await print(context, loaded);
  }

  // Documents, keys and jobs are private: no other user of this machine may read what the service writes.
  process.umask(0o077);
  // A service that ends when idle outlives the script that started it, and must not hold that script's lock.
  if (loaded.config.idleExitMs !== undefined) {
    const { closeInheritedDescriptors } = await import('../local/close-inherited-descriptors.js');
    closeInheritedDescriptors();
  }
  const { refuseWithoutPackages } = await import('../local/missing-packages.js');
  refuseWithoutPackages();
  await openLanguageFolders(context, loaded.config.dataDir);
  const { startService } = await import('../service/serve.js');
  const starting = startService(loaded.config, { warnings: loaded.warnings, signal: context.signal });
  const service = await starting.catch((error: unknown) => {
    // A start that waits for its database is told to stop: the normal end of a service.
    if (context.signal.aborted) return undefined;
    throw error;
  });
  if (service === undefined) return;
  const { url, pid, dataDir } = service;
  if (context.output.isJson) await context.output.json({ url, pid, dataDir }, { compact: true });
  else await context.output.text(`Listening on ${url} (process ${pid}, data in ${dataDir})\n`);

  // A stop signal is the normal end of a service: exit code 0.
  const stop = () => void service.stop();
  if (context.signal.aborted) stop();
  else context.signal.addEventListener('abort', stop, { once: true });
  await service.stopped;
  if (service.fault !== undefined) throw service.fault;
}

/** Lets the service read what `ocr languages install` installs: into its own data directory, or its user's. */
async function openLanguageFolders({ directories }: Context, dataDir: string): Promise<void> {
  const own = await directories().catch(() => undefined);
  const { openLanguageFolders: open } = await import('../local/languages/open-folders.js');
  open([dataDir, ...(own === undefined ? [] : [own.dataDir])]);
}

/** Hides what nobody may read over a shoulder. */
function withoutSecret(name: string, value: string | undefined, withoutPassword: (url: string) => string) {
  if (value === undefined) return null;
  if (/Secret$/.test(name)) return '***';
  return /^database.*Url$/.test(name) ? withoutPassword(value) : value;
}

async function print(
  context: Context,
  { config, origins }: { config: object; origins: Record<string, string> },
): Promise<void> {
  const { withoutPassword } = await import('../service/config/parse-values.js');
  const settings = Object.entries(config).map(([name, value]) => ({
    name,
    value: withoutSecret(name, value, withoutPassword),
    origin: origins[name] ?? '',
  }));
  if (context.output.isJson) return await context.output.json(settings);
  await context.output.table(
    ['Setting', 'Value', 'From'],
    // An empty list prints as none, too.
    settings.map(({ name, value, origin }) => [name, String(value ?? '') || 'none', origin]),
  );
}
