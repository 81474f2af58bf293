import { hostname } from 'node:os';
import { listProcesses, type ProcessRow, removeProcess, writeProcess } from '../../store/processes.js';
import { noteTrouble } from '../note-trouble.js';
import type { ServiceComponents } from '../service-components.js';

/** Interval of the signs of life that the processes of a shared store give. */
const SIGN_INTERVAL_MS = 10_000;
/** Time without a sign after which a process counts as silent. */
export const MAX_SILENCE_MS = 3 * SIGN_INTERVAL_MS;

type Present = Pick<ServiceComponents, 'config' | 'instanceId' | 'version' | 'store' | 'jobs' | 'log'>;

/** Gives signs of life while several processes may share the store. Returns the function that ends them. */
export function startPresence(components: Present): () => Promise<void> {
  const { store, instanceId, log } = components;
  if (!store.isShared) return async () => {};
  const sign = async (): Promise<void> => {
    await writeProcess(store, describeProcess(components)).catch((error: unknown) =>
      noteTrouble(log, error, 'a sign of life could not be written'),
    );
  };
  let signing = sign();
  const timer = setInterval(() => {
    signing = signing.then(sign);
  }, SIGN_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await signing;
    // A database that is away forgets the process after a day.
    await removeProcess(store, instanceId).catch(() => {});
  };
}

/** Lists the processes of the service. The only one of a data directory gives no signs, and answers for itself. */
export async function findProcesses(components: Present): Promise<ProcessRow[]> {
  return components.store.isShared ? await components.store.read(listProcesses()) : [describeProcess(components)];
}

function describeProcess({ config, instanceId, version, store, jobs }: Present): ProcessRow {
  const nowMs = store.clock.now();
  return {
    id: instanceId,
    role: config.role,
    version,
    host: hostname(),
    pid: process.pid,
    workers: config.role === 'api' ? 0 : config.workers,
    running: jobs.runningCount,
    startedAtMs: nowMs - Math.round(process.uptime() * 1000),
    seenAtMs: nowMs,
  };
}
