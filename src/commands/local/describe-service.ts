import type { Context } from '../../context.js';
import { formatDuration } from '../../contract/duration.js';
import type { FoundService } from '../../local/probe-service.js';

/** Prints the state of a service, for `ocr local status` and `ocr local start`. */
export async function describeService(
  context: Context,
  dataDir: string,
  found: FoundService | undefined,
): Promise<void> {
  const { serviceLogPath } = await import('../../local/service-log.js');
  const { findUnresponsiveService } = await import('../../local/find-unresponsive-service.js');
  const silentPid = found === undefined ? await findUnresponsiveService(dataDir) : undefined;
  const places = { dataDir, log: serviceLogPath(dataDir) };
  if (context.output.isJson) {
    return await context.output.json({
      running: found !== undefined,
      ...(found && fieldsOf(found)),
      ...(silentPid === undefined ? {} : { silentPid }),
      ...places,
    });
  }
  const silent = silentPid === undefined ? 'stopped' : `process ${silentPid} does not answer`;
  const running = found && fieldsOf(found);
  await context.output.properties([
    ['State', running === undefined ? silent : 'running'],
    ['Address', running?.url],
    ['Process', running?.pid],
    ['Version', running?.version],
    ['Started', running?.startedAt],
    ['Unfinished jobs', running?.unfinishedJobs],
    ['Idle for', running && formatDuration(running.idleMs)],
    ['Stops when idle', running && (running.stopsWhenIdle ? 'yes' : 'no')],
    ['Data', { line: places.dataDir }],
    ['Log', { line: places.log }],
  ]);
}

function fieldsOf({ file, health }: FoundService) {
  return {
    url: file.url,
    pid: file.pid,
    version: file.version,
    startedAt: file.startedAt,
    unfinishedJobs: health.unfinishedJobs ?? 0,
    idleMs: health.idleMs ?? 0,
    stopsWhenIdle: file.stopsWhenIdle,
  };
}
