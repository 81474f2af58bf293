import type { Context } from '../../context.js';
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
  const facts = {
    state:
      found !== undefined ? 'running' : silentPid === undefined ? 'stopped' : `process ${silentPid} does not answer`,
    ...(found && fieldsOf(found)),
    ...places,
  };
  await context.output.properties(Object.entries(facts));
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
