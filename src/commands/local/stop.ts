import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';

/** Longer than the time in which a stopping service finishes its calls. */
const STOP_TIMEOUT_MS = 35_000;

/** Stops the service on this machine; its unfinished jobs go on at its next start. @throws OcrError LOCAL_UNAVAILABLE */
export async function stop(context: Context, _options: object): Promise<void> {
  const { dataDir } = await context.directories();
  const { probeService } = await import('../../local/probe-service.js');
  const found = await probeService(dataDir);
  if (found === undefined) {
    const { findUnresponsiveService } = await import('../../local/find-unresponsive-service.js');
    const pid = await findUnresponsiveService(dataDir);
    if (pid === undefined) return await print(context, false, 'No service is running on this machine.');
    throw new OcrError('LOCAL_UNAVAILABLE', `The service (process ${pid}) does not answer`, {
      hint: `kill -9 ${pid}   (its jobs go on at the next start)`,
    });
  }
  const { stopService } = await import('../../local/stop-service.js');
  if (!(await stopService(found, STOP_TIMEOUT_MS, context.signal))) {
    throw new OcrError('LOCAL_UNAVAILABLE', `The service (process ${found.file.pid}) does not stop`, {
      hint: 'ocr local logs',
    });
  }
  const unfinished = found.health.unfinishedJobs ?? 0;
  const jobs =
    unfinished === 0
      ? ''
      : ` ${unfinished} unfinished ${unfinished === 1 ? 'job goes' : 'jobs go'} on at its next start.`;
  await print(context, true, `Stopped.${jobs}`);
}

async function print(context: Context, stopped: boolean, message: string): Promise<void> {
  if (context.output.isJson) await context.output.json({ stopped });
  else context.output.note(message);
}
