import type { Context } from '../../context.js';
import { describeService } from './describe-service.js';

/** Starts the service on this machine, or prints where it runs. @throws OcrError LOCAL_UNAVAILABLE, DATA_DIR_UNWRITABLE */
export async function start(context: Context, _options: object): Promise<void> {
  const { env, signal, version } = context;
  const { dataDir } = await context.directories();
  const { ensureLocalService } = await import('../../local/service-locator.js');
  const { probeService } = await import('../../local/probe-service.js');
  await ensureLocalService({ dataDir, env, signal, version, note: context.output.note });
  await describeService(context, dataDir, await probeService(dataDir));
}
