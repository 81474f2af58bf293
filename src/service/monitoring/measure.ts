import { readdir, readFile } from 'node:fs/promises';
import { countUnfinishedJobs } from '../../store/jobs.js';
import { countDeliveries } from '../../store/webhook-deliveries.js';
import type { ServiceComponents } from '../service-components.js';
import type { Gauge } from './metrics.js';

/** Reads the values that are measured on demand. */
export async function measure(components: ServiceComponents): Promise<Gauge[]> {
  const { activity, readiness, store, requests, version } = components;
  const { queued, processing, oldestQueuedAtMs } = await countUnfinishedJobs(store);
  const gauge = (name: string, help: string, value: number): Gauge => ({
    name,
    help,
    type: 'gauge',
    samples: [{ value }],
  });
  return [
    { ...gauge('ocr_info', 'The version that runs.', 1), samples: [{ labels: { version }, value: 1 }] },
    gauge(
      'ocr_ready',
      'Whether it takes work: what /readyz says.',
      (await readiness.findObstacle()) === undefined ? 1 : 0,
    ),
    gauge('ocr_open_requests', 'Calls under way.', activity.openRequests),
    {
      ...gauge('ocr_jobs', 'Jobs that are not done, by state.', 0),
      samples: [
        { labels: { status: 'queued' }, value: queued },
        { labels: { status: 'processing' }, value: processing },
      ],
    },
    gauge(
      'ocr_queue_age_seconds',
      'How long the oldest queued job has waited.',
      oldestQueuedAtMs === undefined ? 0 : Math.max(0, (store.clock.now() - oldestQueuedAtMs) / 1000),
    ),
    {
      ...gauge('ocr_document_processes', 'Processes that read documents, or count their pages.', 0),
      samples: [
        { labels: { kind: 'reading' }, value: components.pool.processCount },
        { labels: { kind: 'counting' }, value: components.pageCounters.processCount },
      ],
    },
    {
      ...gauge('ocr_document_isolation', 'From what the system keeps document processes: 1 where it does.', 0),
      samples: Object.entries(components.isolation).map(([from, isKept]) => ({
        labels: { from },
        value: Number(isKept),
      })),
    },
    {
      ...gauge('ocr_webhook_deliveries', 'Deliveries of webhooks that are kept, by state.', 0),
      samples: (await countDeliveries(store)).map(({ status, n }) => ({ labels: { status }, value: n })),
    },
    {
      ...gauge('ocr_request_log_lost_total', 'Lines of the request log that could not be written.', requests.lost),
      type: 'counter',
    },
    ...(await measureProcess()),
  ];
}

/** Measures the process, under the names of Prometheus' own clients. */
async function measureProcess(): Promise<Gauge[]> {
  const { user, system } = process.cpuUsage();
  const [open, most] = await Promise.all([countDescriptors(), readDescriptorLimit()]);
  const gauges: Array<[name: string, help: string, value: number | undefined, type?: 'counter']> = [
    ['process_cpu_seconds_total', 'CPU time of the service itself.', (user + system) / 1e6, 'counter'],
    ['process_resident_memory_bytes', 'Memory of the service itself.', process.memoryUsage.rss()],
    ['process_open_fds', 'Open file descriptors.', open],
    ['process_max_fds', 'File descriptors at most.', most],
    ['process_start_time_seconds', 'When it was started, as Unix time.', Date.now() / 1000 - process.uptime()],
  ];
  return gauges.flatMap(([name, help, value, type]) =>
    value === undefined ? [] : [{ name, help, type: type ?? 'gauge', samples: [{ value }] }],
  );
}

/** Returns undefined on systems without /proc. */
async function countDescriptors(): Promise<number | undefined> {
  const names = await readdir('/proc/self/fd').catch(() => undefined);
  return names?.length;
}

async function readDescriptorLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return limit === undefined ? undefined : Number(limit);
}
