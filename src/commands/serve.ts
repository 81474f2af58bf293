import type { Context } from '../context.js';

export interface ServeOptions {
  host?: string;
  port?: number;
  dataDir?: string;
  workers?: number;
  databaseUrl?: string;
  role?: string;
  /** Path of a JSON file. */
  config?: string;
  printConfig?: boolean;
}

/**
 * Runs the service in the foreground until it is told to stop, or was idle for as long as it is set to be.
 * @throws OcrError CONFIG_INVALID, DATA_DIR_LOCKED, DATA_DIR_UNWRITABLE (also where the directory was removed), PORT_TAKEN
 */
export async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { config: configFile, printConfig = false, ...flags } = options;
  const { loadServiceConfig } = await import('../service/config/service-config.js');
  const loaded = loadServiceConfig({ flags, env: context.env, configFile });
  if (printConfig) {
    for (const warning of loaded.warnings) context.output.note(`ocr: ${warning}`);
    return await print(context, loaded);
  }

  // What the service writes is for nobody else on this machine: documents, keys, jobs.
  process.umask(0o077);
  // One that ends when it is idle outlives the script whose command started it, and its lock is not to be held so long.
  if (loaded.config.idleExitMs !== undefined) {
    const { closeInheritedDescriptors: closeInherited } = await import('../local/close-inherited-descriptors.js');
    closeInherited();
  }
  const { refuseWithoutPackages } = await import('../local/missing-packages.js');
  refuseWithoutPackages();
  const { startService } = await import('../service/serve.js');
  const service = await startService(loaded.config, { warnings: loaded.warnings });
  const { url, pid, dataDir } = service;
  if (context.output.isJson) await context.output.json({ url, pid, dataDir }, { compact: true });
  else await context.output.text(`Listening on ${url} (process ${pid}, data in ${dataDir})\n`);

  // Being told to stop is how a service ends well: exit code 0.
  const stop = () => void service.stop();
  if (context.signal.aborted) stop();
  else context.signal.addEventListener('abort', stop, { once: true });
  await service.stopped;
  if (service.fault !== undefined) throw service.fault;
}

async function print(
  context: Context,
  { config, origins }: { config: object; origins: Record<string, string> },
): Promise<void> {
  const settings = Object.entries(config).map(([name, value]) => ({
    name,
    value: value ?? null,
    origin: origins[name] ?? '',
  }));
  if (context.output.isJson) return await context.output.json(settings);
  await context.output.table(
    ['Setting', 'Value', 'From'],
    // An empty list too.
    settings.map(({ name, value, origin }) => [name, String(value ?? '') || 'none', origin]),
  );
}
